#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A step of a CI pipeline: is the new version of a model good enough to be released?
#
#   examples/ci.sh BASE.jsonl NEW.jsonl [FOLDER]
#
# Both data sets ask the same questions under the same ids. answer_1 is of our model, the
# released version in BASE and the new one in NEW; answer_2 is of a rival. FOLDER (default:
# ci-results) is kept from build to build: it holds the ledgers, so that nothing is judged
# twice, and what a CI server shows: compare.json and gate.xml.
#
# The judge is $JUDGE, such as openai:MODEL with its key in OPENAI_API_KEY. Without it one is
# simulated. $EVENHAND is the command.
#
# Exit status: 0 release, 4 do not, others: something went wrong.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    echo "usage: ci.sh BASE.jsonl NEW.jsonl [FOLDER]" >&2
    exit 2
fi
base_data=$1
new_data=$2
folder=${3:-ci-results}
evenhand=${EVENHAND:-evenhand}
judge=${JUDGE:-sim:first=.5,noise=.5}
mkdir -p "$folder"

# A status of 4 is an answer and not an accident; others end the step.
answer() {
    status=0
    "$@" || status=$?
    [ $status -eq 0 ] || [ $status -eq 4 ] || exit $status
}

say() {
    printf '\n== %s\n\n' "$1"
}

say "judging (what was judged before is not asked again)"
"$evenhand" run "$base_data" -j "$judge" -o "$folder/base.db" -q >/dev/null
"$evenhand" run "$new_data" -j "$judge" -o "$folder/new.db" -q

# The base may have been judged weeks ago. If the judge has changed since then, old and new
# verdicts are no longer of one judge, and the base is judged again.
say "does the judge still say what it said?"
answer "$evenhand" drift "$folder/base.db" --sample 50 -q
if [ "$status" -eq 4 ]; then
    "$evenhand" run "$base_data" -j "$judge" -o "$folder/base.db" --refresh -q >/dev/null
    echo "The base was judged again."
fi

say "the new version against the released one"
"$evenhand" compare "$folder/base.db" "$folder/new.db" 2>/dev/null
"$evenhand" compare "$folder/base.db" "$folder/new.db" --json \
    >"$folder/compare.json" 2>/dev/null

# First that these numbers can be trusted at all, then that the new version is not worse by
# more than ten points, which is about what so few questions can show.
say "may it be released?"
answer "$evenhand" gate "$folder/new.db" 'conflict.high <= 40%' 'rulings.none == 0' \
    --junit "$folder/gate.xml"
trusted=$status
echo
answer "$evenhand" gate "$folder/compare.json" 'win_rate_soft.low >= -10%'
if [ "$trusted" -ne 0 ] || [ "$status" -ne 0 ]; then
    printf '\nNot released.\n'
    exit 4
fi
printf '\nReleased.\n'
