# Files of prices, and of options, that are wrong: by file and line.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
try() {
    printf '%b' "$1" >prices.yaml
    "$EVENHAND" run "$data" -j sim --dry-run --prices prices.yaml || echo "exit $?"
}
try 'prices: 3\n'
try 'rows: []\n'
try '[]\n'
try 'prices:\n  - 3\n'
try 'prices:\n  - model: m\n'
try 'prices:\n  - model: m\n    input: cheap\n'
try 'prices:\n  - model: m\n    input: 1\n    output: -1\n'
try 'prices:\n  - model: ""\n'
try 'prices:\n  - model: m\n    inputs: 1\n'
try 'prices:\n  - {model: m, input: 1, output: 1\n'
try 'prices: \377\n'
"$EVENHAND" run "$data" -j sim --dry-run --prices none.yaml || echo "exit $?"
"$EVENHAND" run "$data" -j sim --dry-run --prices . || echo "exit $?"
{ echo prices:; yes '  - {model: m, input: 1, output: 1}' | head -n 10001; } >prices.yaml
"$EVENHAND" run "$data" -j sim --dry-run --prices prices.yaml || echo "exit $?"
config() {
    printf '%b' "$1" >run.yaml
    "$EVENHAND" run -c run.yaml || echo "exit $?"
}
config '- judge\n'
config 'data: [a, b]\n'
config 'capabilities: 3\n'
config 'capabilities:\n  - 3\n'
config 'capabilities:\n  - host: h\n    tokens: 3\n'
config 'capabilities:\n  - host: h\n    logprobs: perhaps\n'
config 'capabilities:\n  - host: h\n    refused: model\n'
config 'capabilities:\n  - host: h\n    n: 0\n'
{
    echo capabilities:
    for i in 1 2 3; do
        echo "  - host: h"
        echo "    refused: [$(seq -s , -f "a$i%g" 16)]"
    done
} >run.yaml
OPENAI_API_KEY=x "$EVENHAND" run "$data" -c run.yaml -j openai:m --base-url http://h/v1 --dry-run -q ||
    echo "exit $?"
