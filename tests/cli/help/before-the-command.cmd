"$EVENHAND" -h labels
