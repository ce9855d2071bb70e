# SPDX-License-Identifier: MIT
# What zsh offers: completions.zsh FILE. _arguments and its helpers work inside the line
# editor only, so they are replaced by functions that print what they are given: the
# file's own logic and its specs are what is tested.
file=$1
n=0 failed=0

_arguments() {
    if [[ $1 == -C ]]; then
        (( ${#words} > 2 )) && shift words && state=operand
        return
    fi
    print -rl -- "$@"
}
_describe() { }

# expect PATTERN LINE...: a spec of the command's options that must be among them.
expect() {
    local pattern=$1
    shift
    local -a words=("$@")
    local specs
    specs=$(set --; . $file)
    n=$((n + 1))
    if [[ $'\n'$specs$'\n' == *$'\n'${~pattern}$'\n'* ]]; then
        print "ok $n - $*"
    else
        print "not ok $n - $*: no spec '$pattern' in"
        print -r -- $specs
        failed=1
    fi
}

zsh -n $file || exit 1
expect '--order=\[*\]:ORDER:\(12 21 both\)' evenhand run ''
expect '\(-m --method\)--method=\[*\]:METHOD:\(vanilla ec mec bpc mec+bpc standalone portia\)' evenhand run ''
expect '--json\[Print the summary as JSON\]' evenhand show ''
expect '2:import\|export\|remove:\(import export remove\)' evenhand labels ''
expect '*:FILE:_files' evenhand import ''
print "1..$n"
exit $failed
