// SPDX-License-Identifier: MIT
//
// What people are told to look at, in Markdown; with a preview that shows it as they will
// see it.
import { useState } from 'preact/hooks';
import { Text } from '../shared/text.tsx';
import * as api from './api.ts';
import { Section } from './app.tsx';
import { act } from './state.ts';

export function Instructions({ now }: { now: api.Instructions }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const text = draft ?? now.text;
  const changed = draft != null && draft.trim() !== now.text.trim();
  const save = async () => {
    const failed = await act(() => api.putInstructions(text), 'The instructions are saved');
    setFault(failed);
    if (!failed) setDraft(null);
  };
  return (
    <Section id="instructions" title="What are people told?">
      {draft == null ? (
        <>
          <div class="told"><Text text={now.text} raw={false} /></div>
          <button type="button" onClick={() => setDraft(now.text)}>Change</button>
        </>
      ) : (
        <>
          <label for="told">Instructions (Markdown)</label>
          <textarea
            id="told" rows={8} value={text}
            onInput={(e) => setDraft(e.currentTarget.value)}
          />
          <h3>As people will see them</h3>
          <div class="told"><Text text={text} raw={false} empty="(nothing)" /></div>
          <p class="buttons">
            <button type="button" disabled={!changed || text.trim() === ''} onClick={() => void save()}>
              Save
            </button>
            <button type="button" onClick={() => setDraft(null)}>Leave as it was</button>
          </p>
        </>
      )}
      {fault && <p class="fault" role="alert">{fault}</p>}
      <p class="note">
        A change is shown to everybody before their next pair. Each label keeps the version it was
        made under; now it is <code>{now.version}</code>.
      </p>
    </Section>
  );
}
