// SPDX-License-Identifier: MIT
//
// Pairs on which people differ, one after the other, for the owner to settle: a further
// label, which then counts alone. The owner is as blind as they are.
import { useEffect, useRef, useState } from 'preact/hooks';
import { integer, plural } from '../shared/format.ts';
import { isTyping } from '../shared/keys.ts';
import { partsFor } from '../shared/load_parts.ts';
import { Text } from '../shared/text.tsx';
import { turnsOf } from '../shared/turns.ts';
import * as api from './api.ts';
import type { Choice, Disagreement } from './api.ts';
import { Section } from './app.tsx';
import { act, troubleWords } from './state.ts';

const GUARD_MS = 400; // a double press must not settle the next pair

const CHOICES: { choice: Choice; key: string; code: string[]; text: string; said: string }[] = [
  { choice: 'A', key: '1', code: ['Digit1', 'Numpad1'], text: 'A is better', said: 'Settled: A is better' },
  { choice: 'tie', key: '0', code: ['Digit0', 'Numpad0'], text: 'Tie', said: 'Settled: tie' },
  { choice: 'B', key: '2', code: ['Digit2', 'Numpad2'], text: 'B is better', said: 'Settled: B is better' },
];

function labelWords({ labels: l }: Disagreement): string {
  const parts = [
    l.A && `${l.A} for A`,
    l.B && `${l.B} for B`,
    l.tie && `${l.tie} for a tie`,
  ].filter(Boolean);
  return parts.join(', ');
}

function Pair(props: { item: Disagreement; raw: boolean }) {
  const { item, raw } = props;
  return (
    <>
      {turnsOf(item.turns).map((t, i) => (
        <div class="question-text" key={i}>
          <h4>{t.role}</h4>
          <Text text={t.content} raw={raw} />
        </div>
      ))}
      <h4>Question</h4>
      <div class="question-text"><Text text={item.question} raw={raw} /></div>
      <div class="sides">
        <div class="answer" role="region" aria-label="Answer A">
          <h4>A</h4>
          <Text text={item.a} raw={raw} />
        </div>
        <div class="answer" role="region" aria-label="Answer B">
          <h4>B</h4>
          <Text text={item.b} raw={raw} />
        </div>
      </div>
      {item.a === item.b && <p class="note">A and B are identical.</p>}
    </>
  );
}

function opinionWords(o: api.Opinion): string {
  const ruling = o.ruling === 'tie' ? 'a tie' : o.ruling ? `${o.ruling} is better` : 'no ruling';
  return o.bpde == null ? ruling : `${ruling} (BPDE ${o.bpde.toFixed(2)})`;
}

// What judges said, for who insists: asked for twice, logged by the server, and from then
// on the label on this pair is marked.
function Peek({ item }: { item: Disagreement }) {
  const [asked, setAsked] = useState(false);
  const [said, setSaid] = useState<api.Opinion[] | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (said) result.current?.focus();
  }, [said]);
  const look = async () => {
    const failed = await act(async () => setSaid((await api.peek(item.id)).judges), 'What the judges said is shown');
    setFault(failed);
  };
  return (
    <div class="peek">
      {(item.peeked || said) && (
        <p class="note">
          You have looked at what judges said of this pair. Your label on it will be marked “unblind”.
        </p>
      )}
      {!said && !asked && (
        <button type="button" onClick={() => (item.peeked ? void look() : setAsked(true))}>
          Show what the judges said
        </button>
      )}
      {!said && asked && (
        <div role="group" aria-label="Before you look">
          <p class="caution" role="alert">
            You would not be blind on this pair any more. That you looked is written into the ledger,
            and your label on this pair is marked “unblind”, also in exports. It cannot be taken back.
          </p>
          <p class="buttons">
            <button type="button" onClick={() => void look()}>Look all the same</button>
            <button type="button" onClick={() => setAsked(false)}>Stay blind</button>
          </p>
        </div>
      )}
      {said && (
        <div ref={result} tabIndex={-1} role="group" aria-label="What the judges said">
          {said.length === 0 && <p class="note">No judge has seen this pair.</p>}
          <dl>
            {said.map((o) => (
              <div key={o.judge}><dt>{o.judge}</dt><dd>{opinionWords(o)}</dd></div>
            ))}
          </dl>
        </div>
      )}
      {fault && <p class="fault" role="alert">{fault}</p>}
    </div>
  );
}

function Settle(props: { item: Disagreement; place: string; done: () => Promise<void> }) {
  const { item } = props;
  const [raw, setRaw] = useState(false);
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const head = useRef<HTMLHeadingElement>(null);
  const since = useRef(0);
  const settle = async (c: (typeof CHOICES)[number]) => {
    if (busy || performance.now() - since.current < GUARD_MS) return;
    setBusy(true);
    const failed = await act(() => api.adjudicate(item.id, c.choice, note.trim()), c.said);
    setBusy(false);
    setFault(failed);
    if (!failed) await props.done();
  };
  useEffect(() => {
    since.current = performance.now();
    setNote('');
    setFault(null);
    head.current?.focus();
  }, [item.id]);
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.repeat || e.ctrlKey || e.altKey || e.metaKey || e.isComposing || isTyping(e)) return;
      const c = CHOICES.find((x) => x.code.includes(e.code));
      if (!c) return;
      e.preventDefault();
      void settle(c);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  });
  return (
    <div class="settle">
      <h3 ref={head} tabIndex={-1}>{props.place}: {labelWords(item)}</h3>
      <p>
        <button type="button" aria-pressed={raw} onClick={() => setRaw(!raw)}>Raw text</button>
      </p>
      <Pair item={item} raw={raw} />
      <Peek key={item.id} item={item} />
      <div class="verdict" role="group" aria-label="Your verdict">
        {CHOICES.map((c) => (
          <button
            type="button" key={c.key} disabled={busy} aria-keyshortcuts={c.key}
            onClick={() => void settle(c)}
          >
            {c.text}<kbd>{c.key}</kbd>
          </button>
        ))}
        <label class="note-field">
          Note (optional){' '}
          <input value={note} maxLength={2000} onInput={(e) => setNote(e.currentTarget.value)} />
        </label>
      </div>
      {fault && <p class="fault" role="alert">{fault}</p>}
    </div>
  );
}

export function Disagreements({ n }: { n: number }) {
  const [items, setItems] = useState<Disagreement[] | null>(null);
  const [at, setAt] = useState(0);
  const [all, setAll] = useState(n);
  const [fault, setFault] = useState<string | null>(null);
  // With `behind` the next page is added, else the list begins anew.
  const load = async (behind?: Disagreement) => {
    try {
      const page = await api.getDisagreements(behind?.id);
      await partsFor(page.items.flatMap((i) => [i.question, i.a, i.b]));
      setItems(behind ? [...(items ?? []), ...page.items] : page.items);
      setAll(page.all);
      if (!behind) setAt(0);
      setFault(null);
    } catch (e) {
      setFault(troubleWords(e));
    }
  };
  const settled = async () => {
    const rest = (items ?? []).filter((_, i) => i !== at);
    setAll(all - 1);
    if (rest.length === 0) return load();
    setItems(rest);
    setAt(Math.min(at, rest.length - 1));
  };
  const next = async () => {
    if (items && at + 1 >= items.length && items.length < all) await load(items[items.length - 1]);
    setAt(at + 1);
  };
  const item = items?.[at];
  return (
    <Section id="differ" title="Where do people differ?">
      {n === 0 ? (
        <p class="blank">Nowhere so far. Pairs with two or more labels that differ will stand here.</p>
      ) : (
        <p class="lead">On {plural(n, 'pair')} the labels differ and nothing is settled yet.</p>
      )}
      <p class="note">
        Your label is one more and then counts alone; theirs are kept. You see neither the models nor,
        unless you ask for it, what a judge said; sides are drawn for you as for everybody.
      </p>
      {fault && <p class="fault" role="alert">{fault}</p>}
      {n > 0 && !items && (
        <button type="button" onClick={() => void load()}>Settle them</button>
      )}
      {item && (
        <>
          <p class="buttons">
            <button type="button" disabled={at === 0} onClick={() => setAt(at - 1)}>Previous</button>
            <button type="button" disabled={at + 1 >= all} onClick={() => void next()}>
              Leave this one, next
            </button>
            <button type="button" onClick={() => setItems(null)}>Close</button>
          </p>
          <Settle
            item={item} done={settled}
            place={`Pair ${integer(at + 1)} of ${integer(all)}`}
          />
        </>
      )}
    </Section>
  );
}
