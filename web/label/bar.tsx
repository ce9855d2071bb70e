// SPDX-License-Identifier: MIT
//
// The bar at the bottom: one press decides; and the field for a note above it.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Choice } from './api.ts';
import { Button } from './button.tsx';
import { hint, leaveNote, shortcut } from './keys.ts';
import * as session from './session.ts';

const MOST_NOTE = 2000; // characters; within what the server takes in any script

function Note() {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []); // before the next key
  return (
    <div class="note-field">
      <label for="note-text">Note on this pair</label>
      <textarea
        id="note-text" ref={field} rows={3} maxLength={MOST_NOTE} dir="auto"
        value={session.noteText.value}
        onInput={(e) => session.writeNote(e.currentTarget.value)}
      />
      <div class="row">
        <button type="button" class="main" aria-keyshortcuts={shortcut('keepNote')} onClick={session.keepNote}>
          Keep the note<kbd aria-hidden="true">{hint('keepNote')}</kbd>
        </button>
        <button type="button" aria-keyshortcuts={shortcut('leaveNote')} onClick={leaveNote}>
          Leave it<kbd aria-hidden="true">{hint('leaveNote')}</kbd>
        </button>
        <span class="note">A note that is kept goes with your choice. The owner can read it.</span>
      </div>
    </div>
  );
}

function Verdict(props: { choice: Choice; action: 'a' | 'b' | 'tie'; word: string }) {
  const d = session.decided.value;
  return (
    <Button
      action={props.action} word={props.word} class="verdict"
      pressed={d ? d.choice === props.choice : undefined} disabled={!session.ready()}
    />
  );
}

function noteWord(): string {
  const draft = session.noteText.value.trim();
  if (session.note.value && draft === session.note.value) return 'Note kept';
  return draft ? 'Note not kept' : 'Note';
}

export function VerdictBar() {
  const d = session.decided.value;
  const off = !session.ready();
  return (
    <footer class="verdict-bar">
      {session.noteOpen.value && <Note />}
      <div class="keys">
        <div class="verdicts" role="group" aria-label="Your verdict" id="verdict" tabIndex={-1}>
          <Verdict choice="A" action="a" word="A is better" />
          <Verdict choice="tie" action="tie" word="Tie" />
          <Verdict choice="B" action="b" word="B is better" />
        </div>
        <div class="more" role="group" aria-label="More">
          <Button action="skip" word="Skip" disabled={off} pressed={d ? d.choice === 'skip' : undefined} />
          <Button action="unfamiliar" word="Not familiar" disabled={off} pressed={session.unfamiliar.value} />
          <Button action="note" word={noteWord()} disabled={off} expanded={session.noteOpen.value} />
          <span class="gap" />
          <Button action="undo" word="Undo" disabled={session.past.value.length === 0} />
        </div>
      </div>
    </footer>
  );
}
