# Inputs that leave little to align, and one that is no text.
printf '' >empty
printf 'Yes.' >one
printf 'One thing is so. Another is not. A third one may be.' >three
printf 'Look:\n\n```python\ndef f(x):\n    return x\n' >unclosed
printf '```python\ndef (((:\n  x = \n\nclass 3\n```\nDone. Really.' >broken
printf 'Bad \357\277\275 bytes. \357\277\275 More of it.' >replaced
printf 'Good. \377\376 Bad.' >no-text
for pair in 'empty three' 'empty empty' 'one three' 'three three' 'unclosed three' \
    'broken unclosed' 'replaced three'; do
    # shellcheck disable=SC2086 # two words
    "$EVENHAND" align $pair --parts 9
    echo "---- exit status $?"
done
"$EVENHAND" align no-text three || echo "---- exit status $?"
"$EVENHAND" align three nowhere || echo "---- exit status $?"
for parts in 0 33 many; do
    "$EVENHAND" align one three --parts "$parts" || echo "---- exit status $?"
done
"$EVENHAND" align one three --similarity letters || echo "---- exit status $?"
"$EVENHAND" align one three --lang 'no language' || echo "exit status $?"
"$EVENHAND" align one three --lang "$(printf '%0300d' 1)" || echo "exit status $?"
