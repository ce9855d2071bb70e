for command in run show rulings check template 'import judgments' 'labels run.db'; do
    # shellcheck disable=SC2086 # words
    "$EVENHAND" $command </dev/null && exit 1
    echo "exit status $?"
done
