for option in --jsno --tim --frob --json=yes -json -x --limit=3 -k3 --concurrency; do
    "$EVENHAND" show run.db "$option" && exit 1
    echo "exit status $?"
done
