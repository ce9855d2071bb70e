"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -o run.db --quiet >/dev/null
"$EVENHAND" show run.db --timing | sed -n '/^timing/,/session/p'
