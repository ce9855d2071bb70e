"$EVENHAND" --help >/dev/full
