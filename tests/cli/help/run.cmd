"$EVENHAND" run --help
