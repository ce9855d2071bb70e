# A megabyte a side is not aligned exactly: the length cut stands, and a note says so.
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "Some words are here. " }' >a.txt
awk 'BEGIN { for (i = 0; i < 42000; i++) printf "Other words stand there! " }' >b.txt
"$EVENHAND" align a.txt b.txt >shown.txt
sed -n '/^part/p; /^sum/,$p' shown.txt
"$EVENHAND" align a.txt b.txt --parts auto --json >parts.json
grep -A 1 '"notes": \[$' parts.json
