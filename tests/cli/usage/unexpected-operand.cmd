fails() {
    "$EVENHAND" "$@" && exit 1
    echo "exit status $?"
}
fails check a.jsonl b.jsonl
fails demo now
fails verdict -t score replies.jsonl
fails labels run.db imprt labels.jsonl
