// SPDX-License-Identifier: MIT
//
// The owner's part of the server's JSON interface (docs/labelling.md).
import { get, newId, post } from '../shared/net.ts';

export type Maybe = number | null;
export type Choice = 'A' | 'B' | 'tie' | 'skip';

export interface Person {
  name: string;
  done: number;
  skipped: number;
  unfamiliar: number;
  fast: number;
  median_seconds: Maybe;
  left_share: { value: Maybe; low: Maybe; high: Maybe; n: number };
  last_seen_ms: Maybe;
}

export interface Queue {
  selection: string;
  budget: string;
  pairs: number;
  complete: number;
  labels_per_pair: number;
  identity_leaks: number;
  disagreements: number;
}

export interface Agreement {
  measure: 'cohen' | 'fleiss' | 'alpha';
  pairs: number;
  people: number;
  value: Maybe;
  low: Maybe;
  high: Maybe;
  why: string | null;
}

export interface Instructions {
  version: string;
  text: string;
}

export interface State {
  queue: Queue;
  paused: boolean;
  annotators: Person[];
  agreement: Agreement;
  instructions: Instructions;
}

export interface Disagreement {
  id: string;
  question: string;
  turns: unknown;
  a: string;
  b: string;
  labels: { A: number; B: number; tie: number };
  skipped: boolean; // by the owner
  peeked: boolean; // the owner looked at what judges said of it, now or before
}

export interface Opinion {
  judge: string;
  ruling: 'A' | 'B' | 'tie' | null;
  bpde: Maybe;
}

export const getState = () => get<State>('/api/owner/state');

export function getDisagreements(before?: string) {
  const from = before ? `?before=${encodeURIComponent(before)}` : '';
  return get<{ all: number; items: Disagreement[] }>(`/api/owner/disagreements${from}`);
}

export function adjudicate(item: string, choice: Choice, note: string): Promise<unknown> {
  const label = { item, label_id: newId(), choice, ...(note ? { note } : {}) };
  return post('/api/owner/adjudicate', label);
}

export const peek = (item: string) => post<{ judges: Opinion[] }>('/api/owner/peek', { item });

export const putInstructions = (text: string) =>
  post<{ instructions: Instructions }>('/api/owner/instructions', { text });

export const putPause = (paused: boolean) => post('/api/owner/pause', { paused });

export const invite = (name: string) =>
  post<{ name: string; path: string }>('/api/owner/annotators', { name });
