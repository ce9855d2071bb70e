fails() {
    "$EVENHAND" "$@" && exit 1
    echo "exit status $?"
}
fails run data.jsonl -j
fails run data.jsonl -j -o run.db
fails run data.jsonl --judge --dry-run
fails run data.jsonl -o=run.db
fails run data.jsonl -k 3 --samples 4
