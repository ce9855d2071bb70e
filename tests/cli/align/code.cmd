# Code in a fence that is longer than a part is cut between its definitions.
cat >a.md <<'A'
This counts words:

```python
def words(text):
    return text.split()

def count(text):
    counts = {}
    for word in words(text):
        counts[word] = counts.get(word, 0) + 1
    return counts
```

It is linear in the length of the text.
A
cat >b.md <<'B'
```python
from collections import Counter

def count(text):
    return Counter(text.split())
```

`Counter` counts for you. The time is linear in the length of the text.
B
"$EVENHAND" align a.md b.md --parts 2
