// SPDX-License-Identifier: MIT
//
// What comes from the server: pairs, five ahead and rendered ahead, own decisions, the
// instructions; and what it says to labels that were sent.
import { partsFor } from '../shared/load_parts.ts';
import { prepareText } from '../shared/text.tsx';
import { turnsOf } from '../shared/turns.ts';
import * as api from './api.ts';
import type { Decision, Item } from './api.ts';
import * as outbox from './outbox.ts';
import * as session from './session.ts';
import { allWaiting, readLoaded, readSettings, type Waiting } from './store.ts';
import { decisionWords } from './words.ts';

const AHEAD = 5;
const POLL_MS = 10_000; // while there is nothing to do
const ALIVE_MS = 60_000; // while a pair is being read
const ELSEWHERE_MS = 300; // in which another tab has sent its label

let asking = false;
let again = false;
let settledAt = 0; // the turn at which the last label was confirmed
let older: string | null | undefined; // next page of the history; undefined: the first

// ---- pairs ----

const textsOf = (i: Item) => [i.question, i.a, i.b, ...turnsOf(i.turns).map((t) => t.content)];

function renderAhead(list: Item[]): void {
  const texts = list.slice(1).flatMap(textsOf);
  const one = () => {
    const text = texts.shift();
    if (text == null) return;
    prepareText(text);
    setTimeout(one, 20);
  };
  setTimeout(one, 100);
}

// Is the pair still to be decided, whatever was under way when the answer was made?
function isOpen(item: { id: string; again: boolean }, asked: number): boolean {
  if (outbox.waiting.value.some((w) => w.label.item === item.id)) return false;
  if (session.opened.value?.item.id === item.id) return false;
  const known = session.decidedAt.get(item.id);
  if (!known) return true;
  return item.again && known.skip && known.turn <= asked && settledAt <= asked;
}

async function take(answer: api.Items, asked: number): Promise<void> {
  const have = new Map(session.items.value.map((i) => [i.id, i]));
  const fresh = answer.items.filter((i): i is Item => i.a != null && !have.has(i.id));
  await partsFor(fresh.flatMap(textsOf));
  // what was decided meanwhile is sorted out after the last wait
  const live = session.items.value[0];
  const list: Item[] = live ? [live] : [];
  for (const item of answer.items) {
    const whole = session.items.value.find((i) => i.id === item.id) ?? (item.a != null ? (item as Item) : null);
    if (whole && whole.id !== live?.id && isOpen(item, asked)) list.push({ ...whole, again: item.again });
  }
  session.looked.value = true;
  session.setItems(list);
  renderAhead(list);
}

async function renewInstructions(): Promise<void> {
  const state = await api.getState();
  await partsFor([state.instructions.text]);
  if (session.state.value) session.state.value = { ...state, who: session.state.value.who };
  if (!session.shown.value) session.setItems([]);
}

async function askOnce(): Promise<void> {
  const asked = session.turn();
  const confirmed = settledAt;
  const answer = await api.getItems(session.items.value.map((i) => i.id));
  const state = session.state.value;
  if (!state) return;
  if (answer.who !== state.who) {
    session.foreign.value = true;
    return;
  }
  outbox.noteAnswer();
  if (settledAt === confirmed) outbox.told.value = answer.progress;
  session.state.value = { ...state, paused: answer.paused };
  if (answer.instructions_version !== state.instructions.version) await renewInstructions();
  await take(answer, asked);
}

// Asks for pairs; once more where that was wished meanwhile.
export async function refill(): Promise<void> {
  if (asking) {
    again = true;
    return;
  }
  asking = true;
  try {
    do {
      again = false;
      if (!session.foreign.value) await askOnce();
    } while (again);
  } catch (e) {
    outbox.noteFailure(e);
  } finally {
    asking = false;
  }
}

// ---- decisions of before ----

function decisionOf({ label, question }: Waiting): Decision {
  const { item, label_id, choice, familiar, note } = label;
  return { item, label_id, choice, familiar, note: note ?? null, question };
}

export const hasOlder = () => older !== null;

// One page more of the past; false where there is none, or no connection.
export async function loadOlder(): Promise<boolean> {
  if (older === null) return false;
  try {
    const page = await api.getHistory(older ?? null);
    const known = new Set(session.past.value.map((d) => d.item));
    older = page.before;
    session.past.value = [...page.decisions.reverse().filter((d) => !known.has(d.item)), ...session.past.value];
    return true;
  } catch (e) {
    outbox.noteFailure(e);
    return false;
  }
}

let opening = false;

export async function reopen(decision: Decision): Promise<void> {
  if (opening || !session.ready() && session.shown.value) return;
  opening = true;
  try {
    const known = session.remembered(decision.item);
    const item = known ?? (await api.getItem(decision.item));
    await partsFor(textsOf(item));
    session.show(item, decision, 'back');
  } catch (e) {
    outbox.noteFailure(e);
    session.alarm.value = 'That pair is not loaded, and the server cannot be asked now.';
  } finally {
    opening = false;
  }
}

// The decision before the one on the page.
export async function goBack(): Promise<void> {
  if (opening || session.reading.value || session.holding.value) return;
  const at = () => {
    const id = session.opened.value?.decision.item;
    const i = session.past.value.findIndex((d) => d.item === id);
    return i < 0 ? session.past.value.length : i;
  };
  if (at() === 0 && hasOlder()) await loadOlder();
  const before = session.past.value[at() - 1];
  if (before) await reopen(before);
  else session.said.value = 'There is nothing before this.';
}

// ---- what the server says to labels ----

const heard: outbox.Heard = {
  saved(entry, kept) {
    settledAt = session.turn();
    const known = session.past.value.find((d) => d.item === kept.item);
    if (!known) session.takeElsewhere({ ...kept, question: entry.question }); // of a closed tab
    session.release(entry.label.label_id);
    if (outbox.waiting.value.length === 0) session.sayPlace(`Saved: ${decisionWords(kept)}.`);
    if (session.items.value.length < AHEAD) void refill();
  },
  conflict(entry, kept) {
    settledAt = session.turn();
    const tried = decisionOf(entry);
    session.release(entry.label.label_id);
    if (kept.choice === tried.choice && kept.familiar === tried.familiar) session.record(kept);
    else session.addConflict(tried, { ...kept, question: entry.question });
    void refill();
  },
  gone(entry) {
    void sortOut(entry);
  },
};

// A label for a pair that is not this person's: is it still this person?
async function sortOut(entry: Waiting): Promise<void> {
  try {
    const state = await api.getState();
    if (state.who !== session.state.value?.who) {
      session.foreign.value = true;
      return;
    }
    session.release(entry.label.label_id);
    session.past.value = session.past.value.filter((d) => d.item !== entry.label.item);
    session.alarm.value = 'The owner took a pair back; your label for it was not stored.';
    outbox.giveUp(entry);
  } catch (e) {
    outbox.noteFailure(e);
  }
}

// ---- start ----

function begin(state: api.State, items: Item[]): void {
  session.state.value = state;
  session.settings.value = readSettings(state.who);
  outbox.told.value = state.progress;
  const waiting = allWaiting(state.who);
  session.past.value = waiting.map(decisionOf);
  for (const d of session.past.value) session.record(d);
  session.setItems(items.filter((i) => isOpen(i, Infinity)));
  outbox.open(state.who, heard);
  session.listen(() => setTimeout(poll, ELSEWHERE_MS));
  setInterval(() => {
    if (document.visibilityState !== 'visible' || !session.state.value) return;
    outbox.adopt();
    const wait = session.shown.value && !session.state.value.paused ? ALIVE_MS : POLL_MS;
    if (performance.now() - polledAt >= wait) poll();
  }, 1000);
}

let polledAt = 0;

export function poll(): void {
  polledAt = performance.now();
  void refill();
}

// False: it must be tried again.
export async function start(): Promise<boolean> {
  const kept = readLoaded();
  let state: api.State;
  try {
    state = await api.getState();
  } catch (e) {
    outbox.noteFailure(e);
    if (outbox.trouble.value?.kind === 'token' || !kept) return false;
    state = kept.state; // loaded before: go on with what there is
  }
  const own = kept?.state.who === state.who ? kept.items : [];
  await partsFor([state.instructions.text, ...own.flatMap(textsOf)]);
  begin(state, own);
  poll();
  void loadOlder();
  addEventListener('online', poll);
  return true;
}
