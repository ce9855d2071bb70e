# Addresses, keys, headers and bodies that cannot be used: nothing is sent.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
export OPENAI_API_KEY=none
fails() {
    "$EVENHAND" run "$data" -o run.db -q -j openai:m "$@" && exit 1
    echo "exit status $?"
}
url() { fails --base-url "$1"; }
url 127.0.0.1:9
url ftp://127.0.0.1/v1
url 'http://127.0.0.1:9/v 1'
url 'http://127.0.0.1:9/v1#top'
url http://me:secret@127.0.0.1:9/v1
url 'http://127.0.0.1:9/v1?key=secret'
url http:///v1
url http://:80/v1
url "$(yes http://127.0.0.1:9/v1 | head -n 33 | paste -s -d , -)"
here() { fails --base-url http://127.0.0.1:9/v1 "$@"; }
here --key-env NOT_THERE
EMPTY='' here --key-env EMPTY
TWO_LINES='a
b' here --key-env TWO_LINES
here --key-file none.key
: >empty.key
here --key-file empty.key
here --key-file .
here --header-env api-key
here --header-env api-key=NOT_THERE
export A=1
here --header-env a=A,b=A,c=A,d=A,e=A,f=A,g=A,h=A,i=A
here --cacert none.pem
here --extra-body '{"a": 1'
here --extra-body '[1]'
here --extra-body '{"a": 1, "a": 2}'
here --extra-body '{"model": "other"}'
here --extra-body '{"messages": []}'
here --extra-body '{"stream": true}'
here --extra-body none.json
echo '[1]' >list.json
here --extra-body list.json
# The key would be seen by who is in between: said, and not refused.
"$EVENHAND" run "$data" -j openai:m --base-url http://llm.example.org/v1 --dry-run -q >plan.txt
