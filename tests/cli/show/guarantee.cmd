# 240 pairs, one a question; the judge errs on every tenth pair, and only where it is in
# doubt. People label a random half.
python3 "$EVENHAND_SOURCE_DIR/tests/cli/show/guarantee.py"
"$EVENHAND" import judgments judgments.jsonl --pairs pairs.jsonl -q -o run.db
echo "--- no labels"
"$EVENHAND" show run.db --guarantee 10%
"$EVENHAND" labels run.db import labels.jsonl -q
echo "--- nobody says how they were chosen"
"$EVENHAND" show run.db --guarantee 10%
"$EVENHAND" rulings run.db --guarantee 10% || echo "exit $?"
echo "--- drawn at random"
"$EVENHAND" show run.db --guarantee 10% --labels-random
"$EVENHAND" show run.db --guarantee 10% --labels-random --json
echo "--- too much is asked"
"$EVENHAND" show run.db --guarantee 2% --delta 1% --labels-random
echo "--- who decides"
"$EVENHAND" rulings run.db --guarantee 10% --labels-random --format csv | head -n 3
"$EVENHAND" rulings run.db --guarantee 10% --labels-random |
    grep -c '"left_to": "judge"'
"$EVENHAND" rulings run.db --guarantee 10% --labels-random --rest | wc -l
"$EVENHAND" rulings run.db -m hitlc --guarantee 10% --labels-random --rest | wc -l
echo "--- people and judge"
"$EVENHAND" show run.db -m hitlc --label-price .25 | grep -A 4 "  people"
