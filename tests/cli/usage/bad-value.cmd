fails() {
    "$EVENHAND" run data.jsonl -j sim -o run.db "$@" && exit 1
    echo "exit status $?"
}
fails -k 0
fails -k three
fails -m mecbpc
fails -m MEC
fails --order 1
fails --temperature 3
fails --temperature warm
fails --max-failed 2
fails --limit -1
fails --concurrency ''
