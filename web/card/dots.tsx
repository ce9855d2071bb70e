// SPDX-License-Identifier: MIT
//
// A dot with its 95 % interval on an axis from 0 to 100, and the marks of states. A chart
// here is one line, so it is a few SVG elements with coordinates in percent: it needs no
// measuring, follows any width, and prints.
import type { Maybe } from '../shared/table.tsx';
import type { Interval, State } from './data.ts';

const x = (share: number) => `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;

export const GRID = [0, 0.25, 0.5, 0.75, 1];

export function Axis() {
  return (
    <svg class="axis-line" width="100%" height="18" aria-hidden="true">
      {GRID.map((g) => (
        <text x={x(g)} y="13" text-anchor={g === 1 ? 'end' : 'middle'}>{100 * g}</text>
      ))}
    </svg>
  );
}

function MarkShape({ state }: { state: State }) {
  switch (state) {
    case 'held_up':
      return <circle cx="9" cy="9" r="6.5" class="fill" />;
    case 'affected':
      return <path d="M9 1.8 L16.8 15.6 H1.2 Z" class="fill" />;
    case 'fooled':
      return <rect x="2.5" y="2.5" width="13" height="13" class="fill" />;
    case 'not_enough_data':
      return <circle cx="9" cy="9" r="6.3" class="open" stroke-dasharray="2.6 2" />;
    default:
      return (
        <>
          <circle cx="9" cy="9" r="6.3" class="open" />
          <path d="M4.8 4.8 L13.2 13.2 M13.2 4.8 L4.8 13.2" class="open" />
        </>
      );
  }
}

export function StateMark({ state, word }: { state: State; word: string }) {
  return (
    <span class={`state ${state}`}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <MarkShape state={state} />
      </svg>
      <span class="state-word">{word}</span>
    </span>
  );
}

export interface DotProps {
  rate: Interval;
  description: string;
  state?: State;
  tick?: Maybe; // the same without the change
  coin?: Maybe; // what a judge that tosses coins would have
  limits?: number[];
  rule?: number;
  height?: number;
}

export function DotLine(props: DotProps) {
  const { rate, state, height = 30 } = props;
  const middle = height / 2;
  const few = state === 'not_enough_data';
  return (
    <svg class={`dot-line ${state ?? ''}`} width="100%" height={height} role="img" aria-label={props.description}>
      {GRID.map((g) => (
        <line x1={x(g)} x2={x(g)} y1="0" y2={height} class="grid-line" />
      ))}
      {props.rule != null && <line x1={x(props.rule)} x2={x(props.rule)} y1="0" y2={height} class="rule" />}
      {props.limits?.map((l) => <line x1={x(l)} x2={x(l)} y1={middle - 11} y2={middle + 11} class="limit" />)}
      {props.coin != null && <line x1={x(props.coin)} x2={x(props.coin)} y1={middle - 11} y2={middle + 11} class="coin" />}
      {props.tick != null && <line x1={x(props.tick)} x2={x(props.tick)} y1={middle - 9} y2={middle + 9} class="tick" />}
      {rate.low != null && rate.high != null && (
        <line x1={x(rate.low)} x2={x(rate.high)} y1={middle} y2={middle} class="range" stroke-dasharray={few ? '5 3' : undefined} />
      )}
      {rate.value != null && <circle cx={x(rate.value)} cy={middle} r="5" class={few ? 'dot hollow' : 'dot'} />}
    </svg>
  );
}

// What the signs of a row mean; each is drawn as it is there.
export function Key({ people }: { people: boolean }) {
  const sign = (node: preact.ComponentChild) => (
    <svg width="26" height="16" viewBox="0 0 26 16" aria-hidden="true">{node}</svg>
  );
  return (
    <p class="key-line">
      <span>
        {sign(<><line x1="1" x2="25" y1="8" y2="8" class="range" /><circle cx="13" cy="8" r="4.5" class="dot" /></>)}
        with the change, and its 95 % interval
      </span>
      <span>{sign(<line x1="13" x2="13" y1="1" y2="15" class="tick" />)}{people ? 'the other half of the votes, nothing changed (placebo)' : 'the same pairs asked again, nothing changed (placebo)'}</span>
      <span>{sign(<line x1="13" x2="13" y1="0" y2="16" class="coin" />)}a judge that tosses coins</span>
    </p>
  );
}
