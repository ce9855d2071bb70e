// SPDX-License-Identifier: MIT
//
// Labels on their way to the server:
//
//   key --> memory and localStorage, at once --> POST, one after the other --> 200: removed
//                                                  `--> nothing, 500: again after .5 s to 8 s
//
// The same label_id can be sent again, so an answer that was lost does no harm, nor do two
// tabs that send the same entry. A later label may replace an earlier one, so order counts.
import { computed, signal } from '@preact/signals';
import { Failure } from '../shared/net.ts';
import { type Decision, type Kept, type Label, postLabel, type Progress } from './api.ts';
import { allWaiting, dropWaiting, keepWaiting, type Waiting } from './store.ts';

export type Trouble =
  | { kind: 'offline' }
  | { kind: 'status'; status: number } // it will be sent again
  | { kind: 'token' }; // it will be sent when the person has a valid link again

export const waiting = signal<Waiting[]>([]);
export const trouble = signal<Trouble | null>(null);
export const refused = signal<{ status: number; entry: Waiting } | null>(null);
// The server's numbers as of the last answer; `progress` adds what waits.
export const told = signal<Progress | null>(null);

export interface Heard {
  saved(entry: Waiting, kept: Decision): void;
  conflict(entry: Waiting, kept: Decision): void;
  gone(entry: Waiting): void; // no such pair for this person
}

const FIRST_MS = 500;
const MOST_MS = 8000;
const ORPHAN_MS = 10_000; // then the tab that made an entry is taken to be closed

let who = '';
let heard: Heard | null = null;
let busy = false;
let delay = FIRST_MS;
let timer = 0;

export const progress = computed(() => {
  if (!told.value) return null;
  const p = { ...told.value };
  for (const { was, label } of waiting.value) {
    const skips = label.choice === 'skip';
    if (was === 'open') p.left = Math.max(0, p.left - 1);
    if (was === 'skip' && !skips) p.skipped--;
    if (was === 'verdict' && skips) p.done--;
    if (was !== 'skip' && skips) p.skipped++;
    if (was !== 'verdict' && !skips) p.done++;
  }
  return p;
});

export function open(me: string, listener: Heard): void {
  who = me;
  heard = listener;
  waiting.value = allWaiting(who);
  addEventListener('online', () => hurry());
  addEventListener('offline', () => {
    trouble.value = { kind: 'offline' };
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') hurry();
  });
  addEventListener('beforeunload', (e) => {
    if (waiting.value.length) e.preventDefault();
  });
  hurry();
}

// True: it survives a reload.
export function add(label: Label, was: Waiting['was'], question: string): boolean {
  const entry: Waiting = { who, at: Date.now(), was, question, label };
  const kept = keepWaiting(entry);
  waiting.value = [...waiting.value, entry];
  void run();
  return kept;
}

// What tabs that were closed since have left.
export function adopt(): void {
  const own = new Set(waiting.value.map((e) => e.label.label_id));
  const old = Date.now() - ORPHAN_MS;
  const found = allWaiting(who).filter((e) => !own.has(e.label.label_id) && e.at < old);
  if (!found.length) return;
  waiting.value = [...waiting.value, ...found].sort((a, b) => a.at - b.at);
  void run();
}

// Tries at once, whatever the delay.
export function hurry(): void {
  delay = FIRST_MS;
  adopt();
  void run();
}

function remove(entry: Waiting): void {
  dropWaiting(entry.label.label_id);
  waiting.value = waiting.value.filter((e) => e !== entry);
}

function later(): void {
  clearTimeout(timer);
  timer = window.setTimeout(() => void run(), delay);
  delay = Math.min(MOST_MS, 2 * delay);
}

// Nothing that the answers to other requests say goes unheard.
export function noteFailure(e: unknown): void {
  if (!(e instanceof Failure)) throw e;
  if (e.status === 401) trouble.value = { kind: 'token' };
  else if (e.status === 0 || navigator.onLine === false) trouble.value = { kind: 'offline' };
  else trouble.value = { kind: 'status', status: e.status };
}

// The server is there. What it says to a label that waits is still to be heard.
export function noteAnswer(): void {
  if (waiting.value.length && trouble.value?.kind === 'status') return;
  trouble.value = null;
  if (!busy && waiting.value.length) hurry();
}

function settled(entry: Waiting, answer: Kept): void {
  remove(entry);
  told.value = answer.progress;
  trouble.value = null;
  delay = FIRST_MS;
  heard?.saved(entry, answer.kept);
}

// What will not become better by being sent again leaves the queue. True: go on.
function failed(entry: Waiting, e: unknown): boolean {
  if (!(e instanceof Failure)) throw e;
  const body = e.body as (Partial<Kept> & { error?: string }) | null;
  if (e.status === 409 && body?.error === 'already_labelled' && body.kept) {
    remove(entry);
    if (body.progress) told.value = body.progress;
    heard?.conflict(entry, body.kept);
    return true;
  }
  if (e.status === 404 && body?.error === 'unknown_item') {
    heard?.gone(entry);
    return false;
  }
  if ([400, 409, 411, 413, 415].includes(e.status)) {
    // it stays in localStorage, and is tried once more after a reload
    waiting.value = waiting.value.filter((other) => other !== entry);
    refused.value = { status: e.status, entry };
    return true;
  }
  noteFailure(e);
  return false;
}

// A pair that is not this person's any more: the label cannot be stored.
export function giveUp(entry: Waiting): void {
  remove(entry);
  void run();
}

async function run(): Promise<void> {
  if (busy) return;
  busy = true;
  clearTimeout(timer);
  try {
    for (let entry = waiting.value[0]; entry; entry = waiting.value[0]) {
      try {
        settled(entry, await postLabel(entry.label));
      } catch (e) {
        if (failed(entry, e)) continue;
        later();
        return;
      }
    }
  } finally {
    busy = false;
  }
}
