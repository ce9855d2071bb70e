// SPDX-License-Identifier: MIT
//
// One pair under one probe: what was changed, the other answer, and what the judge said
// of the plain pair, of the same pair asked again, and of the changed one.
import { useEffect, useState } from 'preact/hooks';
import { integer } from '../shared/format.ts';
import { type Answer, CopyJson, Said, useKeys } from '../shared/said.tsx';
import { Text } from '../shared/text.tsx';
import { type Card, type Index, type Judge, loadReplies, loadTexts, type Replies, type Texts, type Variant } from './data.ts';
import { WordDiff } from './diff.tsx';
import { Outcome } from './pairs.tsx';
import { allRows, judgeAt, pairHref, replaceRoute, type Row, rowName, sectionHref, shownRows } from './state.ts';
import { classWord, of100 } from './words.ts';

type Mode = 'diff' | 'rendered' | 'raw';

interface Loaded {
  unit: number;
  judge: number;
  texts: Texts | null;
  replies: Replies | null;
  error: string;
}

function useUnit(index: Index, unit: number, judge: number): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let current = true;
    Promise.all([loadTexts(index, unit), loadReplies(index, unit, judge)]).then(
      ([texts, replies]) => current && setLoaded({ unit, judge, texts, replies, error: '' }),
      (e: unknown) => current && setLoaded({ unit, judge, texts: null, replies: null, error: String(e) }),
    );
    return () => {
      current = false;
    };
  }, [index, unit, judge]);
  return loaded && loaded.unit === unit && loaded.judge === judge ? loaded : null;
}

function goto(row: Row | undefined): void {
  if (row) location.hash = pairHref(row).slice(1);
}

// ---- the texts ----

function Modes(props: { mode: Mode; set: (mode: Mode) => void }) {
  const modes: [Mode, string, string][] = [
    ['diff', 'Changes marked', 'D'],
    ['rendered', 'Rendered', 'V'],
    ['raw', 'Raw', 'R'],
  ];
  return (
    <div class="quick" role="group" aria-label="How texts are shown">
      {modes.map(([mode, name, key]) => (
        <button type="button" aria-pressed={props.mode === mode} onClick={() => props.set(mode)}>
          {name}
          <kbd>{key}</kbd>
        </button>
      ))}
    </div>
  );
}

function Changed({ texts, variant, mode }: { texts: Texts; variant: Variant; mode: Mode }) {
  const before = (variant.side === 1 ? texts.answer_1 : texts.answer_2) ?? '';
  const after = variant.answer ?? '';
  if (mode === 'diff') return <WordDiff before={before} after={after} edits={variant.edits} />;
  return (
    <>
      <h3>As it was</h3>
      <Text text={before} raw={mode === 'raw'} />
      <h3>Changed</h3>
      <Text text={after} raw={mode === 'raw'} />
    </>
  );
}

function Answers({ texts, variant, mode }: { texts: Texts; variant: Variant; mode: Mode }) {
  const other = variant.side === 1 ? 2 : 1;
  return (
    <section class="sides" aria-label="Answers">
      <div class="answer">
        <h2>
          Answer {variant.side} <small>this one was changed</small>
        </h2>
        <Changed texts={texts} variant={variant} mode={mode} />
      </div>
      <div class="answer">
        <h2>
          Answer {other} <small>the same in both</small>
        </h2>
        <Text text={(other === 1 ? texts.answer_1 : texts.answer_2) ?? ''} raw={mode === 'raw'} />
      </div>
    </section>
  );
}

// ---- what the judge said ----

function Votes({ title, said, answers, raw }: {
  title: string; said: string; answers: Answer[]; raw: boolean;
}) {
  return (
    <div class="votes">
      <h3>{title}</h3>
      <p class="small">{said}</p>
      {answers.map((a) => (
        <Said answer={a} raw={raw} key={`${a.order}-${a.sample}`} />
      ))}
      {answers.length === 0 && <p class="blank">Nothing was asked.</p>}
    </div>
  );
}

function SaidAll({ judge, row, replies, raw }: {
  judge: Judge; row: Row; replies: Replies; raw: boolean;
}) {
  const { items } = judge;
  const words = (digits: string, votes: (number | null)[]) => {
    const vote = votes[row.at];
    return vote == null
      ? 'No preference could be had.'
      : `Preferred: ${classWord(digits[row.at])} (${of100(vote)} of 100).`;
  };
  const padded = items.padded[row.at];
  return (
    <section aria-labelledby="said-h">
      <h2 id="said-h">What the judge said</h2>
      <p class="note">"This answer" is the one that is changed. Each vote names the slot in which it was shown.</p>
      <div class="sides">
        <Votes
          title="The plain pair" said={words(items.control, items.control_vote)}
          answers={replies.control} raw={raw}
        />
        <Votes
          title="With the change" said={words(items.experiment, items.experiment_vote)}
          answers={replies.variants[items.variant[row.at] ?? -1] ?? []} raw={raw}
        />
      </div>
      <details>
        <summary>The plain pair asked again (placebo){padded != null && ', and with empty padding'}</summary>
        <div class="sides">
          <Votes
            title="Asked again" said={words(items.placebo, items.placebo_vote)}
            answers={replies.placebo} raw={raw}
          />
          {padded != null && (
            <Votes
              title="With empty padding of the same length"
              said={items.padded_vote[row.at] == null ? '' : `${of100(items.padded_vote[row.at] ?? null)} of 100 for this answer.`}
              answers={replies.variants[padded] ?? []} raw={raw}
            />
          )}
        </div>
      </details>
    </section>
  );
}

// ---- around it ----

function Missing({ index }: { index: Index }) {
  return (
    <p class="blank">
      {index.texts
        ? `The texts of this pair are not in this file: they did not fit into ${integer(index.max_bytes / 1e6)} MB; --max-size keeps more.`
        : 'This card was made without texts: it holds hashes and numbers. They are in the ledger.'}
    </p>
  );
}

// The same pair and probe of another judge, if that one has it.
function changeJudge(row: Row, name: string): void {
  replaceRoute({ judge: name });
  const same = allRows.value.find((r) => r.unit === row.unit && r.probe === row.probe);
  replaceRoute(same ? { pair: rowName(same) } : { pair: null, section: 'pairs' });
}

function Nav({ row }: { row: Row }) {
  const order = shownRows.value;
  const at = order.findIndex((r) => r.at === row.at);
  const next = at >= 0 ? order[at + 1] : undefined;
  const previous = at > 0 ? order[at - 1] : undefined;
  return (
    <nav class="pair-nav" aria-label="Pairs">
      <a href={sectionHref('pairs')}>Back to the list</a>
      <button type="button" disabled={!previous} onClick={() => goto(previous)}>
        Previous<kbd>K</kbd>
      </button>
      <button type="button" disabled={!next} onClick={() => goto(next)}>
        Next<kbd>J</kbd>
      </button>
      {at >= 0 && <span>{integer(at + 1)} of {integer(order.length)}</span>}
    </nav>
  );
}

export function PairView({ index, judge, card, row }: {
  index: Index; judge: Judge; card: Card; row: Row;
}) {
  const [mode, setMode] = useState<Mode>('diff');
  const loaded = useUnit(index, row.unit, judgeAt.value);
  const words = judge.probes.find((p) => p.name === row.probe);
  const variant = loaded?.texts?.variants[judge.items.variant[row.at] ?? -1];
  const move = (by: number) => {
    const order = shownRows.value;
    const at = order.findIndex((r) => r.at === row.at);
    if (at >= 0) goto(order[at + by]);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    d: () => setMode('diff'),
    v: () => setMode('rendered'),
    r: () => setMode('raw'),
  });
  useEffect(() => {
    scrollTo(0, 0);
    document.getElementById('pair-h')?.focus();
  }, [row.at, judge]);
  return (
    <main id="pair">
      <Nav row={row} />
      <h1 id="pair-h" tabIndex={-1}>
        Pair {row.id}: {row.short} {row.category && <small>{row.category}</small>}
      </h1>
      {index.judges.length > 1 && (
        <label class="judge-choice">
          Judge
          <select value={judge.name} onChange={(e) => changeJudge(row, e.currentTarget.value)}>
            {index.judges.map((j) => (
              <option value={j.name} selected={j.name === judge.name}>{j.name}</option>
            ))}
          </select>
        </label>
      )}
      <p class="ruling">
        {words?.what} Outcome: <Outcome outcome={row.outcome} form={card.probes[row.probe]?.form} />
        {judge.items.placebo_hit[row.at] === '1' && ', but so it did when it was only asked again'}.
      </p>
      {loaded?.error && <p class="blank" role="alert">The pair cannot be shown: {loaded.error}</p>}
      {!loaded && <p class="note">Unpacking the texts.</p>}
      {loaded && !loaded.error && loaded.texts?.question == null && <Missing index={index} />}
      {loaded?.texts?.question != null && variant && (
        <>
          <Modes mode={mode} set={setMode} />
          <section aria-labelledby="question-h">
            <h2 id="question-h">Question</h2>
            <div class="question-text"><Text text={loaded.texts.question} raw={mode === 'raw'} /></div>
          </section>
          <Answers texts={loaded.texts} variant={variant} mode={mode} />
        </>
      )}
      {loaded?.replies && <SaidAll judge={judge} row={row} replies={loaded.replies} raw={mode === 'raw'} />}
      {loaded && !loaded.error && (
        <CopyJson
          key={row.at}
          value={{ id: row.id, probe: row.probe, judge: judge.name, ...loaded.texts, replies: loaded.replies }}
        />
      )}
    </main>
  );
}
