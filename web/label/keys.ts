// SPDX-License-Identifier: MIT
//
// Every key of the page, in one table: the handler, what stands on the buttons,
// aria-keyshortcuts and the key sheet are made from it.
//
// Digits are told by their place, since on French keyboards they need Shift; letters by
// what they write. Arrows, Space and the page keys are left to scrolling.
import { isTyping } from '../shared/keys.ts';
import { goBack } from './intake.ts';
import { toggleApart, sameFraction } from './scroll.ts';
import * as session from './session.ts';
import { setSettings, settings } from './session.ts';

export type Action =
  | 'a' | 'b' | 'tie' | 'skip' | 'unfamiliar' | 'undo' | 'note' | 'aligned' | 'raw' | 'apart'
  | 'match' | 'instructions' | 'history' | 'help' | 'keep' | 'leaveNote' | 'keepNote';

interface Key {
  action: Action;
  key: string; // as shown
  sheet: string; // what it does
  where: 'page' | 'note';
  digit?: string;
  run: () => void;
}

function toggleView(wanted: 'aligned' | 'raw'): void {
  if (wanted === 'aligned' && !session.shown.value?.parts) {
    session.said.value = 'There is no aligned view of this pair.';
    return;
  }
  setSettings({ view: session.view.value === wanted ? 'plain' : wanted });
}

export function openNote(): void {
  if (session.ready()) session.noteOpen.value = true;
}

export function leaveNote(): void {
  session.saveDraft();
  session.noteOpen.value = false;
}

function toggleInstructions(): void {
  const isOpen = session.instructionsOpen.value ?? settings.value.read === '';
  session.instructionsOpen.value = !isOpen;
}

export const KEYS: Key[] = [
  { action: 'a', key: '1', digit: '1', where: 'page', sheet: 'A is better', run: () => session.decide('A') },
  { action: 'b', key: '2', digit: '2', where: 'page', sheet: 'B is better', run: () => session.decide('B') },
  { action: 'tie', key: '0', digit: '0', where: 'page', sheet: 'Tie: both are about as good', run: () => session.decide('tie') },
  { action: 'skip', key: 'S', where: 'page', sheet: 'Skip: it comes back once at the end', run: () => session.decide('skip') },
  { action: 'unfamiliar', key: 'N', where: 'page', sheet: 'Not familiar with the topic: goes with the choice that follows', run: session.toggleUnfamiliar },
  { action: 'undo', key: 'U', where: 'page', sheet: 'Undo: open the pair before again; again: the one before that', run: () => void goBack() },
  { action: 'keep', key: 'Esc', where: 'page', sheet: 'Keep a pair that is open again as it is', run: session.keepAsItIs },
  { action: 'note', key: 'M', where: 'page', sheet: 'Write a note', run: openNote },
  { action: 'keepNote', key: 'Ctrl+Enter', where: 'note', sheet: 'In a note: keep it', run: session.keepNote },
  { action: 'leaveNote', key: 'Esc', where: 'note', sheet: 'In a note: leave it as a draft', run: leaveNote },
  { action: 'aligned', key: 'V', where: 'page', sheet: 'Aligned view: same texts, matching parts side by side', run: () => toggleView('aligned') },
  { action: 'raw', key: 'R', where: 'page', sheet: 'Raw text, with what cannot be seen named', run: () => toggleView('raw') },
  { action: 'apart', key: 'Y', where: 'page', sheet: 'Scroll A and B apart, or together', run: toggleApart },
  { action: 'match', key: 'Shift+Y', where: 'page', sheet: 'Scrolling apart: bring the other answer as far', run: sameFraction },
  { action: 'instructions', key: 'I', where: 'page', sheet: 'Show or fold the instructions', run: toggleInstructions },
  { action: 'history', key: 'H', where: 'page', sheet: 'What you decided, newest first', run: () => { session.dialog.value = 'history'; } },
  { action: 'help', key: '?', where: 'page', sheet: 'This list, and settings', run: () => { session.dialog.value = 'help'; } },
];

const byAction = new Map(KEYS.map((k) => [k.action, k]));

function keyOf(action: Action): Key {
  const found = byAction.get(action);
  if (!found) throw new Error(action);
  return found;
}

export const run = (action: Action) => keyOf(action).run();

// What a button shows and tells of its key; nothing while single keys are off.
export function hint(action: Action): string | null {
  const { key } = keyOf(action);
  return settings.value.keys || key.length > 1 && !key.startsWith('Shift') ? key : null;
}

// As aria-keyshortcuts has it.
export function shortcut(action: Action): string | undefined {
  return hint(action)?.replace('Ctrl', 'Control').replace('Esc', 'Escape') ?? undefined;
}

const isSingle = (k: Key) => k.key !== 'Esc' && k.where === 'page';

function matches(k: Key, e: KeyboardEvent): boolean {
  if (k.digit) return e.code === `Digit${k.digit}` || e.code === `Numpad${k.digit}`;
  if (k.key === 'Esc') return e.key === 'Escape';
  if (k.key === 'Ctrl+Enter') return e.key === 'Enter' && (e.ctrlKey || e.metaKey);
  if (k.key === '?') return e.key === '?';
  const shift = k.key.startsWith('Shift+');
  return e.shiftKey === shift && e.key.toUpperCase() === k.key.slice(shift ? 6 : 0);
}

function onKey(e: KeyboardEvent): void {
  if (e.isComposing || e.repeat || e.defaultPrevented || document.querySelector('dialog[open]')) return;
  const inNote = e.target instanceof Element && e.target.id === 'note-text';
  const where = inNote ? 'note' : 'page';
  if (!inNote && (isTyping(e) || e.ctrlKey || e.altKey || e.metaKey)) return;
  const found = KEYS.find((k) => k.where === where && matches(k, e));
  if (!found || (isSingle(found) && !settings.value.keys)) return;
  e.preventDefault();
  found.run();
}

export function listenToKeys(): void {
  document.addEventListener('keydown', onKey);
}
