// SPDX-License-Identifier: MIT
//
// The key sheet with the settings, and the list of one's own decisions.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Decision } from './api.ts';
import { hasOlder, loadOlder, reopen } from './intake.ts';
import { KEYS } from './keys.ts';
import { waiting } from './outbox.ts';
import * as session from './session.ts';
import { setSettings, settings } from './session.ts';
import { decisionWords } from './words.ts';

function Dialog(props: { title: string; children: ComponentChildren }) {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    box.current?.showModal(); // focus goes back to where it was when it closes
  }, []);
  const close = () => box.current?.close();
  return (
    <dialog ref={box} aria-labelledby="dialog-h" onClose={() => { session.dialog.value = null; }}>
      <div class="dialog-head">
        <h2 id="dialog-h">{props.title}</h2>
        <button type="button" onClick={close}>Close<kbd aria-hidden="true">Esc</kbd></button>
      </div>
      {props.children}
    </dialog>
  );
}

function Help() {
  return (
    <Dialog title="Keys and settings">
      <table class="keys-table">
        <tbody>
          {KEYS.map((k) => (
            <tr key={k.action}>
              <th scope="row"><kbd>{k.key}</kbd></th>
              <td>{k.sheet}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="setting">
        <input
          type="checkbox" checked={settings.value.keys}
          onChange={(e) => setSettings({ keys: e.currentTarget.checked })}
        />
        Single keys act. Switched off, only the buttons do, and Escape and Ctrl+Enter.
      </label>
      <p class="note">
        A label is kept in this browser the moment you choose, and leaves it when the server
        has it on disk. <a href="/assets/label-notices.txt" target="_blank" rel="noreferrer">Licences</a>
      </p>
    </Dialog>
  );
}

function when(d: Decision): string {
  if (waiting.value.some((w) => w.label.label_id === d.label_id)) return 'waits in this browser';
  return d.received_ms ? new Date(d.received_ms).toLocaleString() : 'just now';
}

function Row({ decision: d }: { decision: Decision }) {
  return (
    <li>
      <button
        type="button" class="row-button"
        onClick={() => {
          document.querySelector('dialog')?.close();
          void reopen(d);
        }}
      >
        <span class="choice">{decisionWords(d)}</span>
        <span class="question-start" dir="auto">{d.question || 'a pair'}</span>
        <small>{when(d)}{d.note ? '; with a note' : ''}</small>
      </button>
    </li>
  );
}

function History({ skippedOnly }: { skippedOnly: boolean }) {
  const [only, setOnly] = useState(skippedOnly);
  const [more, setMore] = useState(hasOlder());
  const list = session.past.value.filter((d) => !only || d.choice === 'skip').reverse();
  const older = async () => {
    await loadOlder();
    setMore(hasOlder());
  };
  return (
    <Dialog title="What you decided">
      <label class="setting">
        <input type="checkbox" checked={only} onChange={(e) => setOnly(e.currentTarget.checked)} />
        Only skipped pairs
      </label>
      {list.length === 0 && <p class="blank">{only ? 'No skipped pair here.' : 'Nothing yet.'}</p>}
      <ul class="history">
        {list.map((d) => <Row decision={d} key={d.item} />)}
      </ul>
      {more && <button type="button" onClick={() => void older()}>Show older ones</button>}
    </Dialog>
  );
}

export function Dialogs() {
  const open = session.dialog.value;
  if (open === 'help') return <Help />;
  if (open) return <History skippedOnly={open === 'skipped'} />;
  return null;
}
