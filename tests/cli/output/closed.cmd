"$EVENHAND" --help >&-
