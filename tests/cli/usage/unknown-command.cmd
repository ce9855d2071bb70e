for word in shwo verdicts frobnicate help '' data.jsonl; do
    "$EVENHAND" "$word" && exit 1
    echo "exit status $?"
done
