# SPDX-License-Identifier: MIT
# What fish offers: completions.fish FILE. Beside each command line up to the cursor
# stand the words that must come.
source $argv[1]
set -g n 0
set -g failed 0

function expect -a wanted line
    set -g n (math $n + 1)
    set -l got (complete -C $line | string replace -r '\t.*' '' | sort | string join ' ')
    if test "$got" = "$wanted"
        echo "ok $n - $line"
    else
        echo "not ok $n - $line: '$got' instead of '$wanted'"
        set -g failed 1
    end
end

expect 'rank report rulings run' 'evenhand r'
expect '--json' 'evenhand show --js'
expect '--samples' 'evenhand run data.jsonl --sam'
expect '' 'evenhand show --sam'
expect 'mec mec+bpc' 'evenhand run -m me'
expect '--order=12 --order=21 --order=both' 'evenhand run --order='
expect 'import' 'evenhand labels run.db imp'
echo "1..$n"
exit $failed
