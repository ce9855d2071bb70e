// SPDX-License-Identifier: MIT
//
// The list of pairs: columns of the chosen judge, filters and sorting over them. Pure; a
// filter lives in the address, so that a view can be handed on.
import type { Maybe, Verdict } from '../shared/table.tsx';
import type { Index, Judge } from './data.ts';

export type Conflict = 'none' | 'first' | 'second' | 'tie' | 'unknown';

// Everything about one pair that the list filters and sorts by.
export interface Row {
  pair: number;
  ruling: Verdict;
  byPeople: boolean;
  v12: Verdict;
  v21: Verdict;
  conflict: Conflict;
  tieFromConflict: boolean;
  score1: Maybe;
  score2: Maybe;
  gap: Maybe;
  bpde: Maybe;
  valid: number;
  asked: number;
  reasons: number; // bits by Index.reasons
  cost: Maybe;
  label: Verdict;
  split: boolean; // labels without a unique majority
  votes: number[];
  disagree: boolean; // judges do
  category: string;
  leak: boolean; // the texts say who wrote them
  ratio: Maybe; // length of answer 1 over that of answer 2
}

function conflictOf(v12: Verdict, v21: Verdict): Conflict {
  if (v12 === 0 || v21 === 0) return 'unknown';
  if (v12 === v21) return 'none';
  if (v12 === 3 || v21 === 3) return 'tie';
  return v12 === 1 ? 'first' : 'second';
}

// The plurality; no unique one is a tie, and flagged.
export function majority(votes: number[] | undefined): { label: Verdict; split: boolean } {
  if (!votes) return { label: 0, split: false };
  const most = Math.max(...votes);
  if (most <= 0) return { label: 0, split: false };
  if (votes.filter((v) => v === most).length > 1) return { label: 3, split: true };
  return { label: (votes.indexOf(most) + 1) as Verdict, split: false };
}

function digit(column: string, i: number): Verdict | -1 {
  const c = column.charCodeAt(i) - 48;
  return c >= 0 && c <= 3 ? (c as Verdict) : -1;
}

function judgesDisagree(judges: Judge[], i: number): boolean {
  let seen = 0;
  for (const judge of judges) {
    const ruling = digit(judge.cells.ruling, i);
    if (ruling <= 0) continue;
    if (seen && ruling !== seen) return true;
    seen = ruling;
  }
  return false;
}

export function rowsOf(index: Index, judgeAt: number): Row[] {
  const judge = index.judges[judgeAt];
  if (!judge) return [];
  const { cells } = judge;
  const rows: Row[] = [];
  for (let i = 0; i < index.pairs.n; i++) {
    const ruling = digit(cells.ruling, i);
    if (ruling < 0) continue;
    const v12 = digit(cells.v12, i) as Verdict;
    const v21 = digit(cells.v21, i) as Verdict;
    const chars1 = index.pairs.chars[2 * i] ?? 0;
    const chars2 = index.pairs.chars[2 * i + 1] ?? 0;
    const votes = index.pairs.votes[i] ?? [];
    rows.push({
      pair: i,
      ruling: ruling as Verdict,
      v12,
      v21,
      conflict: conflictOf(v12, v21),
      byPeople: cells.people[i] === '1',
      tieFromConflict: ruling === 3 && cells.tie_agreed[i] === '0' && cells.people[i] !== '1',
      score1: cells.score_1?.[i] ?? null,
      score2: cells.score_2?.[i] ?? null,
      gap: cells.gap?.[i] ?? null,
      bpde: cells.bpde?.[i] ?? null,
      valid: cells.valid?.[i] ?? 0,
      asked: cells.asked?.[i] ?? 0,
      reasons: cells.reasons?.[i] ?? 0,
      cost: cells.cost_usd?.[i] ?? null,
      ...majority(index.pairs.votes[i]),
      votes,
      disagree: index.judges.length > 1 && judgesDisagree(index.judges, i),
      leak: index.pairs.leak[i] === '1',
      category: index.pairs.category.names[index.pairs.category.of[i] ?? -1] ?? '',
      ratio: chars1 + chars2 > 0 && chars2 > 0 ? chars1 / chars2 : null,
    });
  }
  return rows;
}

export function reasonNames(index: Index, bits: number): string[] {
  return index.reasons.filter((_, i) => bits & (1 << i));
}

// ---- filters ----

export interface Filter {
  show: '' | 'conflict' | 'none' | 'tie' | 'label' | 'judges';
  ruling: string; // '', '1', '2', '3', '0'
  conflict: string; // '', or a Conflict
  label: string; // '', 'agree', 'disagree', 'split', 'missing'
  reason: string;
  category: string;
  leak: string; // '', 'yes', 'no'
  bpde: string; // at least
  gap: string; // at most
  text: string; // in id or question
  sort: string;
  down: boolean;
}

export const NO_FILTER: Filter = {
  show: '', ruling: '', conflict: '', label: '', reason: '', category: '', leak: '', bpde: '', gap: '',
  text: '', sort: 'conflict', down: true,
};

export function isConflict(row: Row): boolean {
  return row.conflict === 'first' || row.conflict === 'second' || row.conflict === 'tie';
}

// Where people rule, labels agree with themselves and say nothing of the judge.
function isAgainst(row: Row): boolean {
  return !row.byPeople && row.label !== 0 && row.label !== row.ruling;
}

const SHOWS: Record<string, (row: Row) => boolean> = {
  conflict: isConflict,
  none: (row) => row.ruling === 0,
  tie: (row) => row.tieFromConflict,
  label: isAgainst,
  judges: (row) => row.disagree,
};

const LABELS: Record<string, (row: Row) => boolean> = {
  agree: (row) => !row.byPeople && row.label !== 0 && row.label === row.ruling,
  disagree: isAgainst,
  split: (row) => row.split,
  missing: (row) => row.label === 0,
};

export function countShow(rows: Row[], show: string): number {
  const test = SHOWS[show];
  return test ? rows.filter(test).length : rows.length;
}

function limit(text: string): number | null {
  const value = Number(text.replace(',', '.'));
  return text.trim() === '' || Number.isNaN(value) ? null : value;
}

// Rows that the filter lets through, sorted. `found` is what a search in texts has found.
export function selectRows(
  index: Index, rows: Row[], filter: Filter, found: Set<number> | null,
): Row[] {
  const tests: ((row: Row) => boolean)[] = [];
  const show = SHOWS[filter.show];
  if (show) tests.push(show);
  if (filter.ruling) tests.push((row) => row.ruling === Number(filter.ruling));
  if (filter.conflict) tests.push((row) => row.conflict === filter.conflict);
  const label = LABELS[filter.label];
  if (label) tests.push(label);
  const bit = index.reasons.indexOf(filter.reason);
  if (filter.reason && bit > 0) tests.push((row) => (row.reasons & (1 << bit)) !== 0);
  if (filter.leak) tests.push((row) => row.leak === (filter.leak === 'yes'));
  if (filter.category) tests.push((row) => row.category === filter.category);
  const bpde = limit(filter.bpde);
  if (bpde != null) tests.push((row) => row.bpde != null && row.bpde >= bpde - 1e-6);
  const gap = limit(filter.gap);
  if (gap != null) tests.push((row) => row.gap != null && row.gap <= gap + 1e-6);
  const text = filter.text.trim().toLowerCase();
  if (text)
    tests.push(
      (row) =>
        (index.pairs.id[row.pair] ?? '').toLowerCase().includes(text) ||
        (index.pairs.head[row.pair] ?? '').toLowerCase().includes(text) ||
        (found?.has(row.pair) ?? false),
    );
  const out = rows.filter((row) => tests.every((test) => test(row)));
  return sortRows(index, out, filter.sort, filter.down);
}

// ---- sorting ----

const CONFLICT_RANK: Record<Conflict, number> = { first: 3, second: 3, tie: 2, none: 1, unknown: 0 };

type Key = (row: Row, index: Index) => number | string | null;

export const SORTS: Record<string, Key> = {
  id: (row, index) => index.pairs.id[row.pair] ?? '',
  question: (row, index) => index.pairs.head[row.pair] ?? '',
  category: (row) => row.category,
  v12: (row) => row.v12,
  v21: (row) => row.v21,
  conflict: (row) => CONFLICT_RANK[row.conflict],
  ruling: (row) => row.ruling,
  score1: (row) => row.score1,
  score2: (row) => row.score2,
  gap: (row) => row.gap,
  bpde: (row) => row.bpde,
  samples: (row) => row.valid,
  label: (row) => row.label,
  ratio: (row) => row.ratio,
  cost: (row) => row.cost,
};

// What is undefined comes last in both directions; equal rows go by BPDE down, then as in
// the data.
function sortRows(index: Index, rows: Row[], sort: string, down: boolean): Row[] {
  const key = SORTS[sort] ?? (() => 0);
  const keyed = rows.map((row) => ({ row, value: key(row, index) }));
  const sign = down ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.value == null || b.value == null) {
      if (a.value !== b.value) return a.value == null ? 1 : -1;
    } else if (a.value !== b.value) {
      return a.value < b.value ? -sign : sign;
    }
    return (b.row.bpde ?? -1) - (a.row.bpde ?? -1) || a.row.pair - b.row.pair;
  });
  return keyed.map((k) => k.row);
}

// ---- the address ----

const FIELDS = [
  'show', 'ruling', 'conflict', 'label', 'reason', 'category', 'leak', 'bpde', 'gap', 'text', 'sort',
] as const;

export interface Route {
  section: string; // '' at the top
  pair: string | null;
  judge: string;
  filter: Filter;
}

export function parseRoute(hash: string): Route {
  const tokens = hash.replace(/^#/, '').split('&').filter(Boolean);
  const route: Route = { section: '', pair: null, judge: '', filter: { ...NO_FILTER } };
  for (const token of tokens) {
    const at = token.indexOf('=');
    if (at < 0) {
      route.section = token;
      continue;
    }
    const key = token.slice(0, at);
    let value: string;
    try {
      value = decodeURIComponent(token.slice(at + 1));
    } catch {
      continue; // not ours
    }
    if (key === 'pair') route.pair = value;
    else if (key === 'judge') route.judge = value;
    else if (key === 'up') route.filter.down = false;
    else if ((FIELDS as readonly string[]).includes(key))
      (route.filter as unknown as Record<string, string>)[key] = value;
  }
  return route;
}

export function writeRoute(route: Route): string {
  const parts: string[] = [];
  if (route.pair != null) parts.push(`pair=${encodeURIComponent(route.pair)}`);
  else if (route.section) parts.push(route.section);
  if (route.judge) parts.push(`judge=${encodeURIComponent(route.judge)}`);
  for (const field of FIELDS) {
    const value = route.filter[field];
    if (value && value !== NO_FILTER[field]) parts.push(`${field}=${encodeURIComponent(value)}`);
  }
  if (!route.filter.down) parts.push('up=1');
  return `#${parts.join('&')}`;
}
