# options from a file; the line goes before it
cat >run.yaml <<END
judge: sim:first=1
data: $EVENHAND_SOURCE_DIR/examples/pairs.jsonl
method: mec+bpc
samples: 5
END
"$EVENHAND" run -c run.yaml --dry-run
"$EVENHAND" run -c run.yaml --dry-run -k 2
