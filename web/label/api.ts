// SPDX-License-Identifier: MIT
//
// The server's JSON interface (docs/labelling.md), as this page uses it.
import { get, post } from '../shared/net.ts';

export type Choice = 'A' | 'B' | 'tie' | 'skip';

export interface Item {
  id: string;
  question: string;
  turns: unknown;
  a: string;
  b: string;
  again: boolean;
  parts?: { a: number[]; b: number[] };
}

export interface Decision {
  item: string;
  label_id: string;
  choice: Choice;
  familiar: boolean;
  note: string | null;
  received_ms?: number;
  question?: string; // how it begins, where known
}

export interface Progress {
  done: number;
  left: number;
  skipped: number;
  unfamiliar: number;
  median_seconds: number | null;
}

export interface Instructions {
  version: string;
  text: string;
}

export interface State {
  who: string;
  name: string;
  contact: string | null;
  progress: Progress;
  paused: boolean;
  instructions: Instructions;
}

export interface Items {
  who: string;
  items: (Partial<Item> & { id: string; again: boolean })[];
  progress: Progress;
  paused: boolean;
  instructions_version: string;
}

export interface History {
  decisions: Decision[];
  before: string | null;
}

export interface Kept {
  kept: Decision;
  progress: Progress;
}

// What is sent for a decision.
export interface Label {
  item: string;
  label_id: string;
  choice: Choice;
  familiar: boolean;
  note?: string;
  seq: number;
  instructions: string;
  view: string;
  width: string;
  visible_ms: number;
  depth_a: number;
  depth_b: number;
  replaces?: string;
}

export const getState = () => get<State>('/api/state');
export const getItem = (id: string) =>
  get<Item & { decision: Decision | null }>(`/api/item/${encodeURIComponent(id)}`);

export function getItems(have: string[]): Promise<Items> {
  return get(`/api/items${have.length ? `?have=${have.join(',')}` : ''}`);
}

export function getHistory(before: string | null): Promise<History> {
  return get(`/api/history${before ? `?before=${encodeURIComponent(before)}` : ''}`);
}

export function postLabel(label: Label): Promise<Kept> {
  return post('/api/label', label);
}
