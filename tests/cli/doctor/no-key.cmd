# the vendor's endpoint, without a key: nothing is sent, and what would be is said
"$EVENHAND" doctor -j openai:gpt-4.1-mini --max-tokens 100
