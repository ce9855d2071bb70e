# Probes of one's own: each fault of the list, the limits and the prompt is named.
export OPENAI_API_KEY=none
say() { printf '%b' "$1" >p.txt; }
try() { "$EVENHAND" generate -j openai:m -o made --dry-run --probes "$@" 2>&1 || echo "exit $?"; }
block='<answer_{{tag}}>\n...\n</answer_{{tag}}>\n'
say "Spoil {{answer}}\n$block"
try mine=p.txt
try mine
try mine:oversight
try mine:oversight=
try mine:soft=p.txt
try 'my probe:oversight=p.txt'
try padding:susceptibility=p.txt
try misinformation:oversight=p.txt
try answers:oversight=p.txt
try mine:oversight=p.txt,mine:susceptibility=p.txt
try mine:oversight=missing.txt
try gender --max-change 30%
try mine:oversight=p.txt --max-change yours=30%
try mine:oversight=p.txt --max-change some
try mine:oversight=p.txt --max-change 30%,40%
say ''
try mine:oversight=p.txt
say 'Be brief.\n---\n'
try mine:oversight=p.txt
say "Spoil it.\n$block"
try mine:oversight=p.txt
say 'Spoil {{answer}}.\n'
try mine:oversight=p.txt
say "Spoil this:\n{{answer}}\nin {{words}} words.\n$block"
try mine:oversight=p.txt
say "Spoil this:\n{{answer\n}}\n$block"
try mine:oversight=p.txt
say "Spoil this:\n\0377\n{{answer}}\n$block"
try mine:oversight=p.txt
test ! -e made && echo "nothing was made"
