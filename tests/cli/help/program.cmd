"$EVENHAND" --help
