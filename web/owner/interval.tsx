// SPDX-License-Identifier: MIT
//
// A dot with its 95 % interval on a fixed scale, small enough for a table cell. The numbers
// stand beside it as text, so the drawing itself is hidden from screen readers.
import type { Maybe } from './api.ts';

const WIDTH = 120;
const HEIGHT = 20;
const EDGE = 6;

export function Interval(props: {
  value: Maybe;
  low: Maybe;
  high: Maybe;
  from: number;
  to: number;
  rule: number; // where there is no effect
}) {
  const { value, low, high, from, to } = props;
  const x = (v: number) => EDGE + ((v - from) / (to - from)) * (WIDTH - 2 * EDGE);
  return (
    <svg
      class="interval" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true" focusable="false"
    >
      <line class="scale" x1={x(from)} x2={x(to)} y1={HEIGHT - 2} y2={HEIGHT - 2} />
      <line class="rule" x1={x(props.rule)} x2={x(props.rule)} y1={1} y2={HEIGHT - 1} />
      {low != null && high != null && (
        <line class="range" x1={x(low)} x2={x(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      )}
      {value != null && <circle class="dot" cx={x(value)} cy={HEIGHT / 2} r={4} />}
    </svg>
  );
}
