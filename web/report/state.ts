// SPDX-License-Identifier: MIT
//
// What the address says, as signals; the address is the only state that is kept.
import { computed, signal } from '@preact/signals';
import type { Index, Judge } from './data.ts';
import { type Filter, type Route, parseRoute, rowsOf, selectRows, writeRoute } from './rows.ts';

export const index = signal<Index | null>(null);
export const route = signal<Route>(parseRoute(location.hash));
// Pairs in whose texts the search has found the words, and the words.
export const found = signal<{ text: string; pairs: Set<number> } | null>(null);

export const judgeAt = computed(() => {
  const at = index.value?.judges.findIndex((j) => j.name === route.value.judge) ?? -1;
  return Math.max(0, at);
});

export const judge = computed<Judge | null>(() => index.value?.judges[judgeAt.value] ?? null);

const rows = computed(() => (index.value ? rowsOf(index.value, judgeAt.value) : []));
export const allRows = rows;

export const shownRows = computed(() => {
  if (!index.value) return [];
  const { filter } = route.value;
  const hits = found.value && found.value.text === filter.text ? found.value.pairs : null;
  return selectRows(index.value, rows.value, filter, hits);
});

// Pair ids need not be unique over ledgers; a number behind a tilde tells them apart.
export function pairName(i: number): string {
  const ids = index.value?.pairs.id ?? [];
  const id = ids[i] ?? '';
  return ids.indexOf(id) === i ? id : `${id}~${i}`;
}

export function findPair(name: string): number {
  const ids = index.value?.pairs.id ?? [];
  const at = ids.indexOf(name);
  if (at >= 0) return at;
  const tilde = /^(.*)~(\d+)$/s.exec(name);
  return tilde && ids[Number(tilde[2])] === tilde[1] ? Number(tilde[2]) : -1;
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

export function pairHref(i: number): string {
  return writeRoute({ ...route.value, pair: pairName(i) });
}

export function sectionHref(section: string): string {
  return writeRoute({ ...route.value, pair: null, section });
}

addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash);
});
