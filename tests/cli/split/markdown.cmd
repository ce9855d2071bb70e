# The units of a text, between which alone it may be cut.
cat >a.md <<'A'
# Two ways

Dr. Smith says "Do it! Now." and leaves. Nobody does, e.g. because of No. 5.

| a | b |
|---|---|
| 1 | 2 |

1. First point. It has two sentences.
   - nested
2. Second point

```sql
SELECT 1;
```
A
"$EVENHAND" split a.md
