# Each command of the list has a help text that begins with its name and its synopsis.
"$EVENHAND" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z]*\) .*/\1/p' >commands
while read -r name; do
    "$EVENHAND" "$name" --help </dev/null >help
    sed -n "1s/^evenhand $name - .*/$name: begins well/p;s/^Usage: evenhand $name.*/$name: has a synopsis/p" help
done <commands
