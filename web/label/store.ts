// SPDX-License-Identifier: MIT
//
// What stays in the browser. Any of it may be refused (private mode, a full disk); `works`
// says whether the last write went well, and then nothing is lost by a reload:
//
//   local    eh.q.LABEL_ID     a label that the server has not confirmed, one entry each,
//                              so that two tabs never overwrite each other
//            eh.draft.ITEM     a note being written, the flag, the time on screen
//            eh.set.WHO        how this person wants the page
//   session  eh.kept           pairs that are loaded, for a reload of this tab
import { signal } from '@preact/signals';
import type { Item, Label, State } from './api.ts';

export const works = signal(true);

function read<T>(area: () => Storage, key: string): T | null {
  try {
    const text = area().getItem(key);
    return text == null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

function write(area: () => Storage, key: string, value: unknown): boolean {
  try {
    area().setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function remove(area: () => Storage, key: string): void {
  try {
    area().removeItem(key);
  } catch {
    // then it was not written either
  }
}

const local = () => localStorage;
const session = () => sessionStorage;

// ---- labels that wait ----

const QUEUE = 'eh.q.';

export interface Waiting {
  who: string;
  at: number; // when it was decided
  was: 'open' | 'skip' | 'verdict'; // what the pair was before
  question: string;
  label: Label;
}

export function keepWaiting(entry: Waiting): boolean {
  works.value = write(local, QUEUE + entry.label.label_id, entry);
  return works.value;
}

export function dropWaiting(labelId: string): void {
  remove(local, QUEUE + labelId);
}

// Of this person, in the order of deciding. What others left here is not touched.
export function allWaiting(who: string): Waiting[] {
  const found: Waiting[] = [];
  try {
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i) ?? '';
      if (!key.startsWith(QUEUE)) continue;
      const entry = read<Waiting>(local, key);
      if (entry?.who === who && entry.label?.label_id) found.push(entry);
    }
  } catch {
    return found;
  }
  return found.sort((a, b) => a.at - b.at || a.label.seq - b.label.seq);
}

// ---- drafts ----

export interface Draft {
  text: string; // in the field
  note: string; // kept, to go with the verdict
  unfamiliar: boolean;
  visible_ms: number;
}

export function readDraft(item: string): Draft | null {
  return read<Draft>(local, `eh.draft.${item}`);
}

export function keepDraft(item: string, draft: Draft): void {
  const empty = !draft.text && !draft.note && !draft.unfamiliar && draft.visible_ms < 1000;
  if (empty) remove(local, `eh.draft.${item}`);
  else write(local, `eh.draft.${item}`, draft);
}

export function dropDraft(item: string): void {
  remove(local, `eh.draft.${item}`);
}

// ---- settings ----

export interface Settings {
  keys: boolean; // single keys act
  view: 'plain' | 'aligned' | 'raw';
  apart: boolean;
  unfolded: boolean; // questions in full
  read: string; // version of the instructions that was read
  seq: number;
}

export function readSettings(who: string): Settings {
  const none: Settings = {
    keys: true, view: 'plain', apart: false, unfolded: false, read: '', seq: 0,
  };
  return { ...none, ...read<Partial<Settings>>(local, `eh.set.${who}`) };
}

export function keepSettings(who: string, settings: Settings): void {
  write(local, `eh.set.${who}`, settings);
}

// ---- loaded pairs ----

export interface Loaded {
  state: State;
  items: Item[];
}

const MOST_KEPT = 1_000_000; // characters; more is fetched again

export function keepLoaded(loaded: Loaded): void {
  const size = loaded.items.reduce((n, i) => n + i.question.length + i.a.length + i.b.length, 0);
  if (size > MOST_KEPT || !write(session, 'eh.kept', loaded)) remove(session, 'eh.kept');
}

export function readLoaded(): Loaded | null {
  return read<Loaded>(session, 'eh.kept');
}
