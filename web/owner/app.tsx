// SPDX-License-Identifier: MIT
//
// The page from top to bottom, and what is said of the queue.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { integer, plural } from '../shared/format.ts';
import * as api from './api.ts';
import type { State } from './api.ts';
import { Agreement } from './agreement.tsx';
import { Disagreements } from './disagreements.tsx';
import { Instructions } from './instructions.tsx';
import { People } from './people.tsx';
import { act, spoken, state, trouble } from './state.ts';

export function Section(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-h`}>
      <h2 id={`${props.id}-h`}>{props.title}</h2>
      {props.children}
    </section>
  );
}

const SELECTIONS: Record<string, string> = {
  entropy: 'the most uncertain pairs first',
  active: 'drawn with a known chance, more often where the judge is unsure',
  random: 'drawn at random',
  file: 'the pairs of a list',
};

function queueWords(q: State['queue']): string {
  const how = SELECTIONS[q.selection] ?? q.selection;
  const each = q.labels_per_pair === 1 ? 'one label each' : `${q.labels_per_pair} labels each`;
  return `${plural(q.pairs, 'pair')} (budget ${q.budget}), ${how}; ${each}.`;
}

function Queue({ s }: { s: State }) {
  const [fault, setFault] = useState<string | null>(null);
  const q = s.queue;
  const toggle = async () => {
    const said = s.paused ? 'Labelling goes on' : 'Labelling is paused';
    setFault(await act(() => api.putPause(!s.paused), said));
  };
  return (
    <Section id="queue" title="How far is it?">
      <p class="lead">
        {integer(q.complete)} of {plural(q.pairs, 'pair')} have all their labels
        {q.pairs > 0 && q.complete === q.pairs ? ': done' : ''}.
      </p>
      <progress max={Math.max(1, q.pairs)} value={q.complete} aria-label="Pairs with all labels" />
      <p class="note">{queueWords(q)}</p>
      {q.identity_leaks > 0 && (
        <p class="note">
          {plural(q.identity_leaks, 'pair')} may give away who wrote an answer, by a model's name or
          by how assistants speak of themselves. The texts are shown as they are;{' '}
          <code>evenhand show --estimate</code> also counts without them.
        </p>
      )}
      <p>
        <button type="button" onClick={() => void toggle()}>
          {s.paused ? 'Let people go on' : 'Pause'}
        </button>{' '}
        {s.paused
          ? 'Paused: people see that, and get no pairs.'
          : 'Pausing stops new pairs; labels on their way are still taken.'}
      </p>
      {fault && <p class="fault" role="alert">{fault}</p>}
    </Section>
  );
}

function Export() {
  return (
    <Section id="export" title="Take the labels away">
      <p class="buttons">
        <a class="button" href="/api/owner/labels" download="labels.jsonl">
          Labels (JSONL)
        </a>
        <a class="button" href="/api/owner/labels?have=pseudonyms" download="labels-pseudonyms.jsonl">
          Labels without names (JSONL)
        </a>
      </p>
      <p class="note">
        One line a label: pair, who, label, side, topic known or not, note and time. Notes are not
        changed by taking names away. The labels stay in the ledger:{' '}
        <code>evenhand labels RUN.db export FILE</code> writes the same, and{' '}
        <code>evenhand show RUN.db -m hitlc</code> counts with them.
      </p>
    </Section>
  );
}

export function App() {
  const s = state.value;
  return (
    <>
      <header>
        <h1>Labelling: owner's page</h1>
        {s?.paused && <p class="paused">Paused</p>}
        <nav aria-label="Sections">
          <a href="#queue">Progress</a>
          <a href="#people">People</a>
          <a href="#agreement">Agreement</a>
          <a href="#differ">Disagreements{s ? ` (${integer(s.queue.disagreements)})` : ''}</a>
          <a href="#instructions">Instructions</a>
          <a href="#export">Export</a>
        </nav>
      </header>
      <main>
        {trouble.value && <p class="fault" role="alert">{trouble.value}</p>}
        {!s && !trouble.value && <p class="blank">Asking the server.</p>}
        {s && (
          <>
            <Queue s={s} />
            <People s={s} />
            <Agreement a={s.agreement} />
            <Disagreements n={s.queue.disagreements} />
            <Instructions now={s.instructions} />
            <Export />
          </>
        )}
      </main>
      <p class="visually-hidden" role="status">{spoken.value}</p>
    </>
  );
}
