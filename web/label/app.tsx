// SPDX-License-Identifier: MIT
//
// The frame: the status bar, what is to be told, the instructions, and a pair or the words
// that stand where none is.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { integer, plural } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { VerdictBar } from './bar.tsx';
import { Button } from './button.tsx';
import { Dialogs } from './dialogs.tsx';
import { poll } from './intake.ts';
import { progress, refused, trouble, waiting } from './outbox.ts';
import { PairView } from './pair.tsx';
import * as session from './session.ts';
import { settings, state } from './session.ts';
import { works } from './store.ts';
import { decisionWords, nothingWords, refusedWords, seconds, total, troubleWords } from './words.ts';

// ---- the status bar ----

function SavedState() {
  const n = waiting.value.length;
  if (n === 0)
    return <span class="saved"><span aria-hidden="true">{'\u2713'}</span> All saved</span>;
  if (trouble.value)
    return <span class="saved waits"><span aria-hidden="true">{'\u25b2'}</span> {integer(n)} not sent</span>;
  return <span class="saved"><span aria-hidden="true">{'\u2026'}</span> Saving</span>;
}

function Status() {
  const p = progress.value;
  return (
    <header class="status">
      <a class="skip-link" href="#verdict" onClick={toVerdict}>To the verdict</a>
      {p && (
        <p class="progress">
          <strong>{integer(p.done)} of {integer(total(p))}</strong>
          <span class="wide-only">
            {p.skipped > 0 && `, ${integer(p.skipped)} skipped`}
            {p.median_seconds != null && p.done > 2 && `; median ${seconds(p.median_seconds)} a pair`}
          </span>
        </p>
      )}
      <SavedState />
      <p class="said" role="status">{session.said.value}</p>
      {state.value && (
        <nav aria-label="Page">
          <Button action="history" word="History" />
          <Button action="help" word="Help" />
        </nav>
      )}
    </header>
  );
}

function toVerdict(e: Event): void {
  e.preventDefault();
  document.getElementById('verdict')?.querySelector('button')?.focus();
}

// ---- lines ----

function Line(props: { kind: 'caution' | 'bad'; children: ComponentChildren }) {
  return <div class={`line ${props.kind}`}>{props.children}</div>;
}

function ConflictLine({ conflict: c }: { conflict: session.Conflict }) {
  return (
    <Line kind="caution">
      <p>
        Already labelled in another tab: <strong>{decisionWords(c.kept)}</strong>. Here you
        chose: <strong>{decisionWords(c.tried)}</strong>.
        {c.tried.question && <span class="question-start" dir="auto"> {c.tried.question}</span>}
      </p>
      <button type="button" onClick={() => session.resolve(c, false)}>
        Keep: {decisionWords(c.kept)}
      </button>
      <button type="button" onClick={() => session.resolve(c, true)}>
        Change to: {decisionWords(c.tried)}
      </button>
    </Line>
  );
}

function Lines() {
  const t = trouble.value;
  const loaded = session.items.value.length;
  return (
    <div class="lines">
      <div role="alert">
        {t && <Line kind="caution"><p>{troubleWords(t, waiting.value.length, loaded)}</p></Line>}
        {refused.value && <Line kind="bad"><p>{refusedWords(refused.value.status)}</p></Line>}
        {session.alarm.value && <Line kind="caution"><p>{session.alarm.value}</p></Line>}
      </div>
      {!works.value && (
        <Line kind="caution">
          <p>
            This browser keeps nothing for this page (a private window, or its storage is full).
            Each label waits until the server has it before the next pair comes.
          </p>
        </Line>
      )}
      {session.holding.value && <Line kind="caution"><p>Waiting for the server to take your label.</p></Line>}
      {state.value?.paused && session.shown.value && (
        <Line kind="caution">
          <p>The owner has paused the labelling. What is loaded can still be labelled.</p>
        </Line>
      )}
      {session.conflicts.value.map((c) => <ConflictLine conflict={c} key={c.kept.item} />)}
    </div>
  );
}

function Instructions() {
  const text = state.value?.instructions.text ?? '';
  const open = session.instructionsOpen.value ?? settings.value.read === '';
  return (
    <section class="instructions" aria-label="Instructions">
      <Button action="instructions" word="Instructions" class="plain" expanded={open} />
      {open ? <Text text={text} raw={false} /> : <p class="first-line" dir="auto">{text.split('\n')[0]}</p>}
    </section>
  );
}

// ---- where no pair is ----

function Message(props: { head: string; lines?: string[]; children?: ComponentChildren; quiet?: boolean }) {
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!props.quiet) head.current?.focus();
  }, [props.head]);
  return (
    <main class="message">
      <h1 ref={head} tabIndex={-1}>{props.head}</h1>
      {props.lines?.map((l) => <p key={l}>{l}</p>)}
      {props.children}
    </main>
  );
}

function Nothing() {
  const p = progress.value;
  if (!state.value || !p) return null;
  const { head, lines } = nothingWords(state.value, p);
  return (
    <Message head={head} lines={lines}>
      {p.skipped > 0 && !state.value.paused && (
        <p>
          {plural(p.skipped, 'pair')} skipped: look at {p.skipped === 1 ? 'it' : 'them'} again?{' '}
          <button type="button" onClick={() => { session.dialog.value = 'skipped'; }}>
            Look at skipped pairs
          </button>
        </p>
      )}
      <p class="row">
        <Button action="undo" word="Open the last pair again" disabled={session.past.value.length === 0} />
        <button type="button" onClick={poll}>Look for new pairs</button>
      </p>
    </Message>
  );
}

function ChangedInstructions() {
  const go = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    go.current?.focus({ preventScroll: true });
  }, []);
  return (
    <main class="message">
      <h1>The instructions have changed</h1>
      <div class="changed"><Text text={state.value?.instructions.text ?? ''} raw={false} /></div>
      <button type="button" class="main" ref={go} onClick={session.finishReading}>
        Go on to the next pair
      </button>
    </main>
  );
}

const BAD_LINK = 'This link is not valid.';

function Body() {
  const item = session.shown.value;
  if (session.foreign.value)
    return (
      <Message
        head="Another person's link was opened in this browser."
        lines={['Open your own link again to go on. Your labels that wait here stay and are sent then.']}
      />
    );
  if (!state.value) {
    if (trouble.value?.kind === 'token')
      return <Message head={BAD_LINK} lines={['Ask the owner for a new one.']} />;
    return <Message quiet head="Loading the next pair" />;
  }
  if (session.reading.value) return <ChangedInstructions />;
  if (item)
    return (
      <>
        <Instructions />
        <PairView item={item} />
      </>
    );
  if (trouble.value)
    return <Message head="The next pair is not loaded yet." lines={['It comes when the server can be reached.']} />;
  if (!session.looked.value || waiting.value.length) return <Message quiet head="Loading the next pair" />;
  return <Nothing />;
}

export function App() {
  const item = session.shown.value;
  return (
    <>
      <Status />
      {(state.value || trouble.value?.kind !== 'token') && <Lines />}
      <Body />
      {item && !session.reading.value && !session.foreign.value && <VerdictBar />}
      <Dialogs />
    </>
  );
}
