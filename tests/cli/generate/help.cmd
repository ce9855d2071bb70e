"$EVENHAND" generate --help
