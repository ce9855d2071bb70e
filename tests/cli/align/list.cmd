# Two lists that say the same in another measure: items stay whole, marks hang.
cat >a.md <<'A'
To keep a bicycle running you need little.

1. Oil the chain every month, and after each ride in the rain.
2. Check the brakes: pads that are thinner than two millimetres are due.
3. Pump up the tyres.

Do not forget to look at the lights before the winter.
A
cat >b.md <<'B'
A bicycle wants some care. Most of it is done in ten minutes.

- **Tyres**: pump them up once a week; soft tyres wear out sooner and roll worse.
- **Chain**: oil it every month. Rain washes oil off, so do it again after such a ride.
- **Brakes**: check the pads.
B
"$EVENHAND" align a.md b.md
