# what this build can do; asks nobody
OPENAI_API_KEY=sk-planted-0123456789 "$EVENHAND" doctor
