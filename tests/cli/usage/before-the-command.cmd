"$EVENHAND" --json show run.db
