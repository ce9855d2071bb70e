#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Tests of the scripts in tools/ and of ./bootstrap, as TAP. A check that cannot fail is
# no check: each rule gets a tiny tree that breaks it and nothing else.
set -u
root=${EVENHAND_SOURCE_DIR:-$(dirname "$0")/../..}
root=$(cd "$root" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0 n_failed=0

report() {
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        sed 's/^/# /' "$scratch/out"
        n_failed=$((n_failed + 1))
    fi
}

# A tree that keeps all rules.
fresh_tree() {
    tree=$scratch/tree
    rm -rf "$tree"
    mkdir -p "$tree/src/base" "$tree/src/plan" "$tree/src/judge" "$tree/cli"
    put src/base/str.h '#include <stddef.h>'
    put src/plan/plan.h '#include "base/str.h"'
    put src/judge/judge.c '#include "plan/plan.h"' '#include <sys/socket.h>'
    put cli/cmd.h '#include "run/run.h"'
    put cli/main.c '#include "cmd.h"' '#include "base/str.h"'
}

# put FILE LINE...: a file that opens as it should.
put() {
    file=$scratch/tree/$1
    shift
    mkdir -p "$(dirname "$file")"
    {
        printf '/* SPDX-License-Identifier: MIT\n *\n * What this file is for.\n */\n'
        printf '%s\n' "$@"
    } >"$file"
}

# passes TOOL NAME, fails TOOL NAME PATTERN: TOOL on the tree, PATTERN in its output.
passes() {
    "$root/tools/$1" "$scratch/tree" >"$scratch/out" 2>&1
    report $? "$1: $2"
}

fails() {
    if "$root/tools/$1" "$scratch/tree" >"$scratch/out" 2>&1; then
        report 1 "$1: $2"
    else
        grep -q -e "$3" "$scratch/out"
        report $? "$1: $2"
    fi
}

# breaks TOOL NAME PATTERN FILE LINE...: the good tree with one file more.
breaks() {
    fresh_tree
    tool=$1 name=$2 pattern=$3
    shift 3
    put "$@"
    fails "$tool" "$name" "$pattern"
}

test_includes() {
    fresh_tree
    passes check-includes 'a good tree'
    breaks check-includes 'upwards' 'src/base/a.c:5: .*base may not include plan' \
        src/base/a.c '#include "plan/plan.h"'
    breaks check-includes 'sideways' 'judge may not include ledger' \
        src/judge/a.c '#include "ledger/ledger.h"'
    breaks check-includes 'plan does not see its users' 'plan may not include judge' \
        src/plan/a.c '  #  include "judge/judge.h"'
    breaks check-includes 'verdict does not see prompt' 'verdict may not include prompt' \
        src/verdict/a.h '#include "prompt/prompt.h"'
    breaks check-includes 'without the module' 'to be written "module/plan.h"' \
        src/plan/a.c '#include "plan.h"'
    breaks check-includes 'an unknown header' 'no module is called odd' \
        src/plan/a.c '#include "odd/a.h"'
    breaks check-includes 'an unknown module' 'src/odd/a.c:1: no module' \
        src/odd/a.c '#include "base/str.h"'
    breaks check-includes 'effects in a pure module' 'sys/socket.h> is closed to plan' \
        src/plan/a.c '#include <sys/socket.h>'
    breaks check-includes 'the clock in a pure module' 'closed to stats' \
        src/stats/a.c '#include "base/clock.h"'
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    fails check-includes 'an empty tree' 'no sources'
}

test_style() {
    fresh_tree
    passes check-style 'a good tree'
    for name in sprintf strcpy strcat atoi strtok gets; do
        breaks check-style "$name" "$name is banned" src/plan/a.c "int x = $name(y);"
    done
    for name in malloc calloc realloc free strdup; do
        breaks check-style "$name" "a.c:5: $name: memory" cli/a.c "x = $name (y);"
    done
    fresh_tree
    put src/base/a.c 'void *x = malloc(1);'
    put tests/unit/test_a.c 'void *x = malloc(1);'
    put src/plan/a.c '/* free(x) is not called: gets(' '*/ int a; // atoi(s)' \
        "char *s = \"strcpy(\"; char c = '\"'; ops->free(s); mem_free(s); snprintf(s);"
    passes check-style 'names in comments, literals, slots and longer names'
    breaks check-style 'threads.h' 'threads.h> is banned' src/run/a.c '#include <threads.h>'
    breaks check-style 'unfinished work' 'unfinished' src/plan/a.c "/* TO""DO: later */"
    breaks check-style 'a path of a machine' 'a.c:5: names a path' \
        src/plan/a.c "/* see /ho""me/joe/x */"
    for mark in '<<<<''<<< HEAD' '====''===' '>>>>''>>> other' '||||''||| base'; do
        breaks check-style "merge mark $mark" 'a.md:6: is a mark' docs/a.md text "$mark"
    done
    fresh_tree
    put docs/a.md 'A heading' '=========' '<<<<''<<<<<' 'a ===''==== b'
    printf 'gitdir: /ho''me/joe/x\n' >"$scratch/tree/.git"
    passes check-style 'lines that only look like marks, and a work tree'
    fresh_tree
    printf 'int x;\n' >"$scratch/tree/src/plan/a.c"
    fails check-style 'no licence line' 'a.c:1: has no SPDX'
    fails check-style 'no opening comment' 'a.c:1: does not open'
    fresh_tree
    printf '#!/bin/sh\ntrue\n' >"$scratch/tree/script"
    fails check-style 'a script without licence line' 'script:1: has no SPDX'
    fresh_tree
    put src/plan/a.c "$(yes 'int x;' | head -n 900)"
    passes check-style 'a long file is asked about'
    grep -q 'a question' "$scratch/out"
    report $? 'check-style: and the question is printed'
    put src/plan/a.c "$(yes 'int x;' | head -n 1300)"
    fails check-style 'a file too long' 'split it'
}

# counts WANT NAME: the last line that count-tests prints for the log of standard input.
counts() {
    cat >"$scratch/log"
    "$root/tools/count-tests" "$scratch/log" >"$scratch/out" 2>&1
    [ "$(tail -n 1 "$scratch/out")" = "$1" ]
    report $? "count-tests: $2"
}

test_count() {
    counts '3 0 1' 'cmocka' <<'END'
{"name":"a","result":"OK","stdout":"[       OK ] x\n","stderr":"[  PASSED  ] 3 test(s).\n[  SKIPPED ] 1 test(s), listed below:\n[  SKIPPED ] y\n"}
END
    counts '1 2 0' 'cmocka that fails' <<'END'
{"name":"a","result":"FAIL","stderr":"[  PASSED  ] 1 test(s).\n[  FAILED  ] 2 test(s), listed below:\n[  FAILED  ] y\n"}
END
    counts '2 1 1' 'TAP' <<'END'
{"name":"a","result":"FAIL","stdout":"1..4\nok 1 - a\nnot ok 2 - b\nok 3\nok 4 # SKIP no c\n"}
END
    counts '1 3 1' 'plain programs, also one that crashed after a good group' <<'END'
{"name":"a","result":"OK","stdout":"fine"}
{"name":"b","result":"FAIL","stdout":"1..1\n"}
{"name":"c","result":"SKIP","stdout":""}
{"name":"d","result":"TIMEOUT","stdout":""}
{"name":"e","result":"FAIL","stderr":"Segmentation fault"}
END
    counts '4 1 0' 'a crash after a good group' <<'END'
{"name":"a","result":"FAIL","stderr":"[  PASSED  ] 4 test(s).\n"}
END
}

# strap NAME STATUS PATTERN [VARIABLE=VALUE]...: ./bootstrap core where only the few
# commands of $scratch/bin exist.
strap() {
    name=$1 want=$2 pattern=$3
    shift 3
    env -i PATH="$scratch/bin" CALLS="$scratch/calls" "$@" \
        /bin/sh "$root/bootstrap" core >"$scratch/out" 2>&1 </dev/null
    status=$?
    [ "$status" = "$want" ] && { [ -z "$pattern" ] || grep -q -e "$pattern" "$scratch/out"; }
    report $? "bootstrap: $name"
}

fake() {
    printf '#!/bin/sh\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

test_bootstrap() {
    mkdir "$scratch/bin"
    for name in cat env head mktemp rm sed sort tr; do
        ln -s "$(command -v "$name")" "$scratch/bin/$name"
    done
    : >"$scratch/calls"
    strap 'another system gets the list' 2 libsqlite3-dev
    fake true exit
    fake apt-cache exit
    # shellcheck disable=SC2016 # for the script that is written
    fake apt-get 'echo "$@" >>"$CALLS"'
    fake id 'echo 1000'
    strap 'no root and no sudo' 2 \
        '^sudo apt-get install --no-install-recommends -y g++ gcc lib.* meson ninja-build pkg-config zlib1g-dev$'
    fake sudo "exit 1"
    strap 'sudo that wants a password, no terminal' 2 '^sudo apt-get install'
    strap 'BOOTSTRAP=no' 0 '' BOOTSTRAP=no
    [ ! -s "$scratch/calls" ]
    report $? 'bootstrap: and nothing was installed so far'
    # shellcheck disable=SC2016
    fake sudo '[ "$1" = -n ] && shift; exec "$@"'
    strap 'sudo without a password; what is still missing is named' 2 'still not found'
    grep -q 'install --no-install-recommends -y .*meson' "$scratch/calls"
    report $? 'bootstrap: and apt-get was asked to install'
    fake id 'echo 0'
    # shellcheck disable=SC2016
    fake apt-get 'echo "$@" >>"$CALLS"; case "$*" in *install*) exit 100 ;; esac'
    : >"$scratch/calls"
    strap 'apt-get that fails' 2 'apt-get failed'
    grep -q 'update' "$scratch/calls"
    report $? 'bootstrap: and package lists were renewed once'
}

: >"$scratch/out"
test_includes
test_style
test_count
test_bootstrap
echo "1..$n"
[ "$n_failed" -eq 0 ]
