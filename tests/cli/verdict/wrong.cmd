# Lines that are no replies, and what is missing.
try() { "$EVENHAND" verdict "$@" || echo "exit status $?"; }
try </dev/null
line() { printf '%s\n' "$1" | "$EVENHAND" verdict -t compare || echo "exit status $?"; }
line 'A is better'
line '["[[A]]"]'
line '{"id": 1}'
line '{"id": 1, "reply": 3}'
line '{"id": true, "reply": "[[A]]"}'
line '{"id": 1, "reply": {"content": 3}}'
try -t . </dev/null
printf 'form: score\377\n' >bad.yaml
try -t bad.yaml </dev/null
try --reread none.db
