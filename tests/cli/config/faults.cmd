# messages that name the file and the line
try() {
    printf '%b' "$1" >run.yaml
    "$EVENHAND" run -c run.yaml || echo "exit $?"
}
try 'judge: sim\nsample: 4\n'
try 'samples: lots\n'
try 'method: [bpc]\n'
try 'always: yes\n'
try 'judge: sim\njudge: longest\n'
try 'key: sk-not-here\n'
try 'capabilities:\n  - host: h\n    structured-output: xml\n'
try 'capabilities:\n  - n: 1\n'
try 'judge: [\n'
"$EVENHAND" run -c nowhere.yaml || echo "exit $?"
