// SPDX-License-Identifier: MIT
//
// What the address says, as signals; the address is the only state that is kept. Filters
// are counts of rows, nothing is estimated.
import { computed, signal } from '@preact/signals';
import { type Card, cardOf, type Index, type Judge } from './data.ts';

export interface Filter {
  probe: string; // name, '' for all
  outcome: string; // digit, '' for all
  category: string;
  text: string; // in id or question
}

export const NO_FILTER: Filter = { probe: '', outcome: '', category: '', text: '' };

export interface Route {
  section: string;
  pair: string | null; // id~~probe
  judge: string;
  filter: Filter;
}

const FIELDS = ['probe', 'outcome', 'category', 'text'] as const;

export function parseRoute(hash: string): Route {
  const route: Route = { section: '', pair: null, judge: '', filter: { ...NO_FILTER } };
  for (const token of hash.replace(/^#/, '').split('&').filter(Boolean)) {
    const at = token.indexOf('=');
    const key = at < 0 ? '' : token.slice(0, at);
    let value: string;
    try {
      value = decodeURIComponent(token.slice(at + 1));
    } catch {
      continue; // not ours
    }
    if (!key) route.section = value;
    else if (key === 'pair') route.pair = value;
    else if (key === 'judge') route.judge = value;
    else for (const field of FIELDS) if (field === key) route.filter[field] = value;
  }
  return route;
}

export function writeRoute(route: Route): string {
  const parts: string[] = [];
  if (route.pair != null) parts.push(`pair=${encodeURIComponent(route.pair)}`);
  else if (route.section) parts.push(encodeURIComponent(route.section));
  if (route.judge) parts.push(`judge=${encodeURIComponent(route.judge)}`);
  for (const field of FIELDS)
    if (route.filter[field]) parts.push(`${field}=${encodeURIComponent(route.filter[field])}`);
  return `#${parts.join('&')}`;
}

export const index = signal<Index | null>(null);
export const route = signal<Route>(parseRoute(location.hash));

export const judgeAt = computed(() => {
  const at = index.value?.judges.findIndex((j) => j.name === route.value.judge) ?? -1;
  return Math.max(0, at);
});

export const judge = computed<Judge | null>(() => index.value?.judges[judgeAt.value] ?? null);

export const card = computed<Card | null>(() =>
  index.value && judge.value ? cardOf(index.value, judge.value) : null,
);

// Everything that the list shows of one item, by its place in the columns.
export interface Row {
  at: number;
  unit: number;
  probe: string;
  short: string;
  id: string;
  head: string;
  category: string;
  outcome: number;
}

const rows = computed<Row[]>(() => {
  const { value } = index;
  const of = judge.value;
  if (!value || !of) return [];
  return of.items.unit.map((unit, at) => ({
    at,
    unit,
    probe: of.probes[of.items.probe[at] ?? 0]?.name ?? '',
    short: of.probes[of.items.probe[at] ?? 0]?.short ?? '',
    id: value.units.id[unit] ?? '',
    head: value.units.head[unit] ?? '',
    category: value.units.category[unit] ?? '',
    outcome: Number(of.items.outcome[at] ?? 0),
  }));
});
export const allRows = rows;

export function selectRows(all: Row[], filter: Filter): Row[] {
  const text = filter.text.trim().toLowerCase();
  return all.filter(
    (r) =>
      (!filter.probe || r.probe === filter.probe) &&
      (!filter.outcome || r.outcome === Number(filter.outcome)) &&
      (!filter.category || r.category === filter.category) &&
      (!text || r.id.toLowerCase().includes(text) || r.head.toLowerCase().includes(text)),
  );
}

export const shownRows = computed(() => selectRows(rows.value, route.value.filter));

// An id may hold anything but is told apart by its place where it is not unique.
export function rowName(row: Row): string {
  const ids = index.value?.units.id ?? [];
  const id = ids.indexOf(row.id) === row.unit ? row.id : `${row.id}#${row.unit}`;
  return `${id}~~${row.probe}`;
}

export function findRow(name: string): Row | null {
  return rows.value.find((r) => rowName(r) === name) ?? null;
}

// A changed filter or judge replaces the address; going somewhere adds to the history.
export function replaceRoute(change: Partial<Route>): void {
  const next = { ...route.value, ...change };
  history.replaceState(null, '', writeRoute(next));
  route.value = next;
}

export function setFilter(change: Partial<Filter>): void {
  replaceRoute({ filter: { ...route.value.filter, ...change } });
}

export function pairHref(row: Row): string {
  return writeRoute({ ...route.value, pair: rowName(row) });
}

export function sectionHref(section: string, filter = route.value.filter): string {
  return writeRoute({ ...route.value, pair: null, section, filter });
}

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});
