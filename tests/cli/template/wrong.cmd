# Templates that are none, and what is wrong in those of users, with the line.
"$EVENHAND" template show || echo "exit status $?"
"$EVENHAND" template show scroe || echo "exit status $?"
"$EVENHAND" template show /etc/hostname || echo "exit status $?"
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim -t output_ab -o run.db || echo "exit status $?"
try() {
    printf '%b' "$1" >mine.yaml
    echo | "$EVENHAND" verdict -t mine.yaml || echo "exit status $?"
}
all='name: mine\nform: compare\nuser: |\n  {{question}} {{first}} {{second}}'
try '- a\n'
try 'name: [a]\n'
try 'name: ""\n'
try 'form: compare\n'
try 'name: mine\n'
try 'name: mine\nform: pick\n'
try 'name: mine\nform: compare\n'
try 'name: mine\nform: compare\ntone: dry\n'
try "$all"'\n  {{first}}\n'
try "$all"'\n  {{third}}\n'
try "$all"'\n  {{first\n'
try "$all"'\n  {{ask}}\n'
try "$all"'\nverdict_first: a\nevidence_first: b\n'
try "$all"'\n  {{ask}}\nverdict_first: a\n'
try "$all"'\n  {{ask}}\nverdict_first: "{{ask}}"\nevidence_first: b\n'
try "$all"'\nfirst_name: A\nsecond_name: A\n'
try "$all"'\nform: compare\n'
try "$all"'\n1: 2\n? [a]\n: b\n'
try 'name: mine\nform: single\nuser: "{{first}}"\n'
try 'name: mine\nform: compare\nmarks: {tiers: [{1: [x]}]}\n'
try 'name: mine\nform: marks\n'
try 'name: mine\nmarks: 3\n'
try 'name: mine\nmarks: {}\n'
try 'name: mine\nmarks: {tears: 3}\n'
try 'name: mine\nmarks: {tiers: 3}\n'
try 'name: mine\nmarks: {tiers: [3]}\n'
try 'name: mine\nmarks: {tiers: [{}]}\n'
try 'name: mine\nmarks: {tiers: [{1: []}]}\n'
try 'name: mine\nmarks: {tiers: [{1: [""]}]}\n'
try 'name: mine\nmarks: {tiers: [{4: [x]}]}\n'
try 'name: mine\nmarks: {where: behind}\n'
try 'name: mine\nmarks: {pick: best}\n'
try 'name: mine\nmarks: {scores: 3}\n'
try 'name: mine\nmarks: {scores: [1, 10], where: anywhere}\n'
try 'name: mine\nuser: "\n'
try 'name: mine\n---\nname: yours\n'
