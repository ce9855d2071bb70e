// SPDX-License-Identifier: MIT
//
// What pages are made of: tables, square tables of counts, verdicts as a shape with a
// word, and the line that stands where there is nothing to show.
import type { ComponentChildren } from 'preact';

export type Verdict = 0 | 1 | 2 | 3; // none, answer 1, answer 2, tie
export type Maybe = number | null; // null: undefined, with `why` beside it

export interface TableData {
  head: string[];
  rows: (string | number)[][]; // the first cell heads its row
}

export function Table(props: TableData & { caption: string; class?: string }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={props.caption}>
      <table class={props.class ?? 'numbers'}>
        <caption class="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map((h) => (
              <th scope="col">{h}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((row) => (
            <tr>
              {row.map((cell, i) =>
                i === 0 ? (
                  <th scope="row">{cell}</th>
                ) : (
                  <td class={typeof cell === 'number' ? 'num' : undefined}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Nothing to draw: said, with the reason.
export function Blank(props: { children: ComponentChildren }) {
  return <p class="blank">{props.children}</p>;
}

// A square table of counts, tinted by their size; rows and columns are named.
export function CountGrid(props: {
  counts: number[];
  rows: string[];
  columns: string[];
  rowTitle: string;
  columnTitle: string;
  marked?: (row: number, column: number) => boolean;
}) {
  const most = Math.max(1, ...props.counts);
  const width = props.columns.length;
  const tint = (n: number) => `tint-${n === 0 ? 0 : 1 + Math.floor((4 * n) / (most + 1))}`;
  const total = props.counts.reduce((a, b) => a + b, 0);
  return (
    <div
      class="scroll" tabIndex={0} role="region"
      aria-label={`${props.rowTitle} by ${props.columnTitle}`}
    >
      <table class="grid">
        <caption class="visually-hidden">
          {props.rowTitle} by {props.columnTitle}
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={width + 1}>
              {props.columnTitle}
            </th>
          </tr>
          <tr>
            <th scope="col">{props.rowTitle}</th>
            {props.columns.map((c) => (
              <th scope="col">{c}</th>
            ))}
            <th scope="col">all</th>
          </tr>
        </thead>
        <tbody>
          {props.rows.map((name, r) => {
            const row = props.counts.slice(r * width, (r + 1) * width);
            return (
              <tr>
                <th scope="row">{name}</th>
                {row.map((n, c) => (
                  <td class={`${tint(n)}${props.marked?.(r, c) ? ' same' : ''}`}>{n}</td>
                ))}
                <td class="sum">{row.reduce((a, b) => a + b, 0)}</td>
              </tr>
            );
          })}
          <tr>
            <th scope="row">all</th>
            {props.columns.map((_, c) => (
              <td class="sum">
                {props.rows.reduce((sum, __, r) => sum + (props.counts[r * width + c] ?? 0), 0)}
              </td>
            ))}
            <td class="sum">{total}</td>
          </tr>
        </tbody>
      </table>
    </div>
  );
}

// ---- verdicts: a shape and a word, the colour only helps ----

const SHAPES = [
  <path d="M4 4 L12 12 M12 4 L4 12" class="stroke" />, // none: a cross
  <circle cx="8" cy="8" r="5" />, // 1: a disc
  <rect x="3.5" y="3.5" width="9" height="9" />, // 2: a square
  <path d="M8 2.5 L13.5 8 L8 13.5 L2.5 8 Z" />, // tie: a diamond
];
const WORDS = ['none', '1', '2', 'tie'];

export function VerdictMark(props: { verdict: Verdict; conflict?: boolean; word?: string }) {
  return (
    <span class={`verdict v${props.verdict}`}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
        {props.conflict && <circle cx="8" cy="8" r="7.2" class="ring" />}
        {SHAPES[props.verdict]}
      </svg>
      {props.word ?? WORDS[props.verdict]}
    </span>
  );
}

export function verdictOf(name: string | undefined): Verdict {
  const at = WORDS.indexOf(name ?? 'none');
  return (at < 0 ? 0 : at) as Verdict;
}
