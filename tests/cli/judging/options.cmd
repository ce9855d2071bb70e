# Options that contradict each other, or make no sense with the method or the judge.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
export OPENAI_API_KEY=none
fails() {
    "$EVENHAND" run "$data" -o run.db -q "$@" && exit 1
    echo "exit status $?"
}
endpoint() { fails -j openai:m --base-url http://127.0.0.1:9/v1 "$@"; }
fails -j sim --refresh --max-age 7d
fails -j sim --pilot 10 --refresh
fails -j sim --pilot 10 --dry-run
fails -j sim --pilot 10 -m standalone
fails -j sim -m bpc -k 2
fails -j sim -m mec+bpc --order 21
fails -j sim -m standalone --order 21
fails -j sim -m bpc --parts 3
fails -j sim -m portia --parts 1
fails -j sim -m portia --parts many
fails -j sim -m portia --stages 1,2
fails -j sim -m portia --stages 0,1,1
fails -j sim -m portia --similarity words
fails -j sim -m portia --similarity embed:anthropic:m
fails -j sim -m bpc --embed-base-url http://127.0.0.1:9/v1
fails -j sim -m portia --similarity "embed:openai:$(printf '%0300d' 1)"
fails -j sim -m standalone -t compare
fails -j sim -m bpc -t standalone
fails -j sim -t scroe
fails -j sim --reread score
fails -j sim --logprobs 2
fails -j smi
fails -j openai
fails -j replay
fails -j longest:3
fails -j sim:first=1,first=2
fails -j sim:fist=1
fails -j sim:first
fails -j sim:xyzzy=1
fails -j sim:first=100
fails -j sim:refuse=.6,garble=.6
fails -j sim:own=1
fails -j sim:family=
fails -j sim:family=a,family=b
fails -j sim:seed=x
fails -j sim --answers one.jsonl
fails -j sim --answers one.jsonl,two.jsonl,three.jsonl
fails -j sim --answers one.jsonl,two.jsonl --map id=x
fails -j sim --map answer_1
fails -j sim --map answer=chosen
fails -j sim --map id=a,id=b
fails -j sim --max-cost 1
endpoint --max-cost 1
endpoint --max-cost 1 --prices "$EVENHAND_SOURCE_DIR/examples/prices.yaml"
endpoint --key-env NONE --key-file none
endpoint --judge-id "$(printf '%0201d' 1)"
