"$EVENHAND" --version
