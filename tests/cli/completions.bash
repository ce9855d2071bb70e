# SPDX-License-Identifier: MIT
# What bash offers: completions.bash FILE. Each line is a command line up to the cursor
# and the words that must come, in their order; the words are split as readline does.
# shellcheck source=/dev/null
. "$1"
n=0 failed=0

# expect "WORDS..." LINE...: the last word of LINE is the one that is being typed.
expect() {
    local wanted=$1
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _evenhand
    n=$((n + 1))
    if [ "${COMPREPLY[*]}" = "$wanted" ]; then
        echo "ok $n - $*"
    else
        echo "not ok $n - $*: '${COMPREPLY[*]}' instead of '$wanted'"
        failed=1
    fi
}

expect 'run rulings report rank' evenhand r
expect 'run rulings report rank' evenhand -q r
expect '--help' evenhand --h
expect '--json' evenhand show --js
expect '' evenhand show --sam
expect '--samples' evenhand run data.jsonl --sam
expect 'mec mec+bpc' evenhand run -m m
expect 'mec mec+bpc' evenhand run --method = m
expect '12 21 both' evenhand run --order =
expect 'jsonl csv' evenhand rulings run.db --format ''
expect '' evenhand run -o ru
expect 'import export remove' evenhand labels run.db ''
expect 'export' evenhand labels -q run.db ex
expect '' evenhand labels run.db export lab
expect '' evenhand unknown x
echo "1..$n"
exit $failed
