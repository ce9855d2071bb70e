// SPDX-License-Identifier: MIT
//
// What is on the page, and what a person does to it. Pairs come by intake.ts, decisions
// leave by outbox.ts:
//
//   items   [ live, next, next, .. ]   loaded and undecided
//   past    [ .., before, last ]       own decisions, one a pair, the newest last
//   opened  a pair of the past on the page again; the live one waits behind it
//
// A decision acts at once: everything here changes in the task of the key press, and two
// quick presses act one after the other.
import { computed, signal } from '@preact/signals';
import { newId } from '../shared/net.ts';
import type { Choice, Decision, Item, State } from './api.ts';
import * as outbox from './outbox.ts';
import * as store from './store.ts';
import { depths, mayDecide, reset, visibleMs } from './timing.ts';
import { decisionWords, total } from './words.ts';

export interface Opened {
  item: Item;
  decision: Decision;
  why: 'back' | 'elsewhere'; // taken back by the person; labelled in another tab
}

export interface Conflict {
  kept: Decision;
  tried: Decision;
}

export const state = signal<State | null>(null);
export const settings = signal<store.Settings>(store.readSettings(''));
export const items = signal<Item[]>([]);
export const opened = signal<Opened | null>(null);
export const past = signal<Decision[]>([]);
export const conflicts = signal<Conflict[]>([]);
export const foreign = signal(false); // another person's link was opened in this browser
export const reading = signal(false); // changed instructions are before the next pair
export const looked = signal(false); // the server was asked for pairs, and answered
export const holding = signal<string | null>(null); // label that must be stored first
export const instructionsOpen = signal<boolean | null>(null); // null: open until read once
export const dialog = signal<'help' | 'history' | 'skipped' | null>(null);
export const said = signal(''); // told politely
export const alarm = signal(''); // told at once

export const unfamiliar = signal(false);
export const note = signal('');
export const noteText = signal('');
export const noteOpen = signal(false);

export const shown = computed(() => opened.value?.item ?? items.value[0] ?? null);
export const decided = computed(() => opened.value?.decision ?? null);

// Where the live pair stands: 13 of 40.
export const place = computed(() => {
  const p = outbox.progress.value;
  if (!p) return null;
  const all = total(p);
  const next = holding.value ? 0 : 1; // what waits for the server is still on the page
  return { at: Math.min(all, p.done + p.skipped + next), all };
});

// Decided in this tab or, as it heard, in another: what an answer that was under way may
// still offer.
export const decidedAt = new Map<string, { turn: number; skip: boolean }>();
let turns = 0;
export const turn = () => turns;

const seen = new Map<string, Item>(); // for going back without a connection
const MOST_SEEN = 60;

export function remember(item: Item): void {
  seen.delete(item.id);
  seen.set(item.id, item);
  for (const id of seen.keys()) {
    if (seen.size <= MOST_SEEN) break;
    seen.delete(id);
  }
}

export const remembered = (id: string) => seen.get(id) ?? null;

export function setSettings(change: Partial<store.Settings>): void {
  settings.value = { ...settings.value, ...change };
  if (state.value) store.keepSettings(state.value.who, settings.value);
}

// ---- what belongs to the pair on the page ----

let draftTimer = 0;

export function saveDraft(): void {
  clearTimeout(draftTimer);
  if (!shown.value || holding.value) return;
  const before = decided.value;
  if (before && noteText.value === note.value && isSame(before, before.choice)) {
    store.dropDraft(shown.value.id);
    return;
  }
  store.keepDraft(shown.value.id, {
    text: noteText.value,
    note: note.value,
    unfamiliar: unfamiliar.value,
    visible_ms: visibleMs(),
  });
}

export function writeNote(text: string): void {
  noteText.value = text;
  clearTimeout(draftTimer);
  draftTimer = window.setTimeout(saveDraft, 300);
}

// Another pair is on the page: its own note, flag and time.
function turnTo(): void {
  clearTimeout(draftTimer);
  const item = shown.value;
  const draft = item && store.readDraft(item.id);
  const before = decided.value;
  note.value = draft?.note || before?.note || '';
  noteText.value = draft?.text || note.value;
  unfamiliar.value = draft?.unfamiliar ?? (before ? !before.familiar : false);
  noteOpen.value = false;
  reset(draft?.visible_ms ?? 0);
}

// Instructions that changed are read before the next pair, not in the middle of one.
function next(): void {
  const version = state.value?.instructions.version;
  if (settings.value.read !== '' && version && settings.value.read !== version)
    reading.value = true;
  turnTo();
}

export function setItems(list: Item[]): void {
  const before = shown.value?.id;
  items.value = list;
  if (shown.value?.id !== before) next();
  if (state.value) store.keepLoaded({ state: state.value, items: list });
}

export function finishReading(): void {
  setSettings({ read: state.value?.instructions.version ?? '' });
  reading.value = false;
  turnTo();
}

// ---- deciding ----

function widthClass(): string {
  if (innerWidth < 700) return 'phone';
  return innerWidth < 1200 ? 'narrow' : 'wide';
}

// How the texts are shown: aligned only where there are parts.
export const view = computed(() => {
  const wanted = settings.value.view;
  return wanted === 'aligned' && !shown.value?.parts ? 'plain' : wanted;
});

function makeLabel(item: Item, choice: Choice, before: Decision | null) {
  const depth = depths();
  const version = state.value?.instructions.version ?? '';
  setSettings({ seq: settings.value.seq + 1, read: settings.value.read || version });
  return {
    item: item.id,
    label_id: newId(),
    choice,
    familiar: !unfamiliar.value,
    ...(note.value ? { note: note.value } : {}),
    seq: settings.value.seq,
    instructions: settings.value.read,
    view: view.value + (settings.value.apart && view.value !== 'aligned' ? '+apart' : ''),
    width: widthClass(),
    visible_ms: visibleMs(),
    depth_a: depth.a,
    depth_b: depth.b,
    ...(before ? { replaces: before.label_id } : {}),
  };
}

// The newest decision of a pair replaces what is known of it.
export function record(d: Decision): void {
  past.value = [...past.value.filter((p) => p.item !== d.item), d];
  decidedAt.set(d.item, { turn: ++turns, skip: d.choice === 'skip' });
}

function wasBefore(item: Item, before: Decision | null): store.Waiting['was'] {
  if (before) return before.choice === 'skip' ? 'skip' : 'verdict';
  return item.again ? 'skip' : 'open';
}

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('evenhand') : null;

function storeDecision(item: Item, choice: Choice, before: Decision | null): { id: string; kept: boolean } {
  const label = makeLabel(item, choice, before);
  const decision: Decision = {
    item: item.id, label_id: label.label_id, choice, familiar: label.familiar,
    note: note.value || null, question: item.question.slice(0, 160),
  };
  const kept = outbox.add(label, wasBefore(item, before), decision.question ?? '');
  remember(item);
  record(decision);
  channel?.postMessage({ who: state.value?.who, decision });
  return { id: label.label_id, kept };
}

function isSame(d: Decision, choice: Choice): boolean {
  return d.choice === choice && d.familiar === !unfamiliar.value && (d.note ?? '') === note.value;
}

export const ready = () =>
  shown.value != null && !reading.value && !foreign.value && holding.value == null;

export function decide(choice: Choice): void {
  const item = shown.value;
  if (!item || !ready() || !mayDecide()) return;
  const before = decided.value;
  if (before && isSame(before, choice)) {
    keepAsItIs();
    return;
  }
  const done = storeDecision(item, choice, before);
  if (done.kept) {
    leave(item);
    return;
  }
  holding.value = done.id; // nothing survives here: the server must have it first
}

// The decided pair leaves the page; the live one, or the next, comes.
function leave(item: Item): void {
  const unsent = noteText.value.trim() !== note.value;
  store.dropDraft(item.id);
  alarm.value = unsent ? 'The note that you did not keep was not sent.' : '';
  const rest = items.value.filter((i) => i.id !== item.id);
  opened.value = null;
  items.value = rest;
  next();
  if (state.value) store.keepLoaded({ state: state.value, items: rest });
}

// The server has it, or something else for the pair: what waited for that goes on.
export function release(labelId: string): void {
  if (holding.value !== labelId) return;
  holding.value = null;
  if (shown.value) leave(shown.value);
}

export function sayPlace(words: string): void {
  const p = place.value;
  const live = items.value[0];
  said.value = p && live && !live.again ? `${words} Pair ${p.at} of ${p.all}.` : words;
}

// ---- going back ----

export function show(item: Item, decision: Decision, why: Opened['why']): void {
  saveDraft();
  remember(item);
  opened.value = { item, decision, why };
  turnTo();
  said.value =
    why === 'back'
      ? `Open again: ${decisionWords(decision)}. Choose again, or Escape to keep it.`
      : `Already labelled in another tab: ${decisionWords(decision)}. Choose again, or Escape to keep it.`;
}

export function keepAsItIs(): void {
  const o = opened.value;
  if (!o) return;
  store.dropDraft(o.item.id);
  opened.value = null;
  next();
  sayPlace(`Kept: ${decisionWords(o.decision)}.`);
}

// A note for a pair that is decided goes with the same choice, at once.
export function keepNote(): void {
  note.value = noteText.value.trim();
  noteText.value = note.value;
  noteOpen.value = false;
  const o = opened.value;
  if (!o || !ready() || (o.decision.note ?? '') === note.value) {
    saveDraft();
    return;
  }
  const { choice, familiar } = o.decision;
  unfamiliar.value = !familiar;
  const done = storeDecision(o.item, choice, o.decision);
  if (done.kept) leave(o.item);
  else holding.value = done.id;
}

export function toggleUnfamiliar(): void {
  if (!ready()) return;
  unfamiliar.value = !unfamiliar.value;
  saveDraft();
  said.value = unfamiliar.value
    ? 'Not familiar with the topic: goes with your next choice.'
    : 'Familiar with the topic.';
}

// ---- other tabs ----

export function takeElsewhere(decision: Decision): void {
  const live = shown.value;
  record(decision);
  const rest = items.value.filter((i) => i.id !== decision.item);
  if (live?.id !== decision.item || holding.value) {
    if (rest.length !== items.value.length) setItems(rest);
    return;
  }
  items.value = rest;
  show(live, decision, 'elsewhere');
}

export function listen(then: () => void): void {
  channel?.addEventListener('message', (e: MessageEvent<{ who: string; decision: Decision }>) => {
    if (e.data.who !== state.value?.who) return;
    takeElsewhere(e.data.decision);
    then();
  });
}

// ---- conflicts ----

export function addConflict(tried: Decision, kept: Decision): void {
  record(kept);
  conflicts.value = [...conflicts.value.filter((c) => c.kept.item !== kept.item), { kept, tried }];
}

export function resolve(conflict: Conflict, change: boolean): void {
  conflicts.value = conflicts.value.filter((c) => c !== conflict);
  const { kept, tried } = conflict;
  if (!change) {
    sayPlace(`Kept: ${decisionWords(kept)}.`);
    return;
  }
  setSettings({ seq: settings.value.seq + 1 });
  const label_id = newId();
  const decision = { ...tried, label_id };
  outbox.add(
    {
      item: tried.item, label_id, choice: tried.choice, familiar: tried.familiar,
      ...(tried.note ? { note: tried.note } : {}), seq: settings.value.seq,
      instructions: settings.value.read, view: view.value, width: widthClass(), visible_ms: 0,
      depth_a: 0, depth_b: 0, replaces: kept.label_id,
    },
    kept.choice === 'skip' ? 'skip' : 'verdict',
    tried.question ?? '',
  );
  record(decision);
  channel?.postMessage({ who: state.value?.who, decision });
}
