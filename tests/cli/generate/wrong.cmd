# What cannot work is said before anything is made or asked.
export OPENAI_API_KEY=none
try() { "$EVENHAND" generate "$@" 2>&1 || echo "exit $?"; }
try -o made
try -j sim -o made
try -j openai:m --probes gender,padding -o made
try -j openai:m --unreviewed maybe -o made
try -j openai:m --max-cost 1 -o made
try nothing.jsonl -j openai:m --base-url http://127.0.0.1:9/v1 -o made --dry-run
test ! -e made && echo "nothing was made"
touch file
try -j openai:m --base-url http://127.0.0.1:9/v1 -o file
