# Wrong, mixed and truncated files: nothing is taken, and no ledger is left
. "$EVENHAND_SOURCE_DIR/tests/cli/import/data.sh"
try() {
    echo "--- $*" >&2
    "$EVENHAND" import "$@" -o x.db || echo "status $?" >&2
    ls x.db 2>/dev/null || true
}
echo '{"a": 1}' >unknown.json
echo 'nothing at all' >text.txt
: >empty.jsonl
head -c 300 annotations.json >cut.json
{ cat gpt-4_pair.jsonl; echo '{"pair_id": "x", "order": "12", "sample": 0, "verdict": "1"}'; } >mixed.jsonl
sed 's/"preference": 2}/"preference": "both"}/; s/"output_2": "pear", //' annotations.json >wrong.json
try auto unknown.json
try auto text.txt
try auto empty.jsonl
try auto cut.json
try auto mixed.jsonl
try auto wrong.json
try arena_hard annotations.json
try foolscap annotations.json
try auto annotations.json missing.json
printf 'item,choice\n1,A\n2,B\n' >sheet.csv
try csv sheet.csv --map pair_id=item
