# Judges with planted defects are what they are declared to be; nothing else is needed.
"$EVENHAND" audit --self-test
"$EVENHAND" audit --self-test --json | grep -c '"as_declared": true'
"$EVENHAND" audit --self-test --seed x || echo "exit $?"
