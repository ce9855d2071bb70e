// SPDX-License-Identifier: MIT
//
// One pair: question, both answers side by side, and what the judge said in each order,
// its replies one click away. Everything here can be traced to a call by its key.
import { useEffect, useState } from 'preact/hooks';
import { Aligned, cutParts } from '../shared/aligned.tsx';
import { integer, number, score } from '../shared/format.ts';
import { type Answer, CopyJson, Said, useKeys } from '../shared/said.tsx';
import { VerdictMark, verdictOf } from '../shared/table.tsx';
import { Text } from '../shared/text.tsx';
import { canUnpack } from '../shared/unpack.ts';
import { type Index, type Judge, loadAnswers, loadTexts, type Texts } from './data.ts';
import { allRows, judgeAt, pairHref, pairName, replaceRoute, sectionHref, shownRows } from './state.ts';

type Mode = 'plain' | 'aligned' | 'raw';

interface Loaded {
  pair: number;
  judge: number;
  texts: Texts | null;
  answers: Answer[] | null;
  error: string;
}

function usePair(index: Index, pair: number, judge: number): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let current = true;
    Promise.all([loadTexts(index, pair), loadAnswers(index, pair, judge)]).then(
      ([texts, answers]) => current && setLoaded({ pair, judge, texts, answers, error: '' }),
      (e: unknown) => current && setLoaded({ pair, judge, texts: null, answers: null, error: String(e) }),
    );
    return () => {
      current = false;
    };
  }, [index, pair, judge]);
  return loaded && loaded.pair === pair ? loaded : null;
}

function modelOf(index: Index, pair: number, answer: 1 | 2): string {
  const names = answer === 1 ? index.pairs.model_1 : index.pairs.model_2;
  return names.names[names.of[pair] ?? -1] ?? '';
}

// ---- the texts ----

function AnswerHead(props: { index: Index; pair: number; answer: 1 | 2; length: number }) {
  const model = modelOf(props.index, props.pair, props.answer);
  return (
    <h2>
      <VerdictMark verdict={props.answer} word={`Answer ${props.answer}`} />{' '}
      <small>
        {model && `${model}, `}
        {integer(props.length)} characters
      </small>
    </h2>
  );
}

function Answers(props: { index: Index; pair: number; texts: Texts; mode: Mode }) {
  const { index, pair, texts, mode } = props;
  const one = texts.answer_1 ?? '';
  const two = texts.answer_2 ?? '';
  const chars = index.pairs.chars;
  const heads = (
    <div class="sides heads">
      <AnswerHead index={index} pair={pair} answer={1} length={chars[2 * pair] ?? 0} />
      <AnswerHead index={index} pair={pair} answer={2} length={chars[2 * pair + 1] ?? 0} />
    </div>
  );
  if (mode === 'aligned' && texts.parts)
    return (
      <section aria-label="Answers, part by part">
        {heads}
        <Aligned
          left={cutParts(one, texts.parts[0])} right={cutParts(two, texts.parts[1])}
          names={['Answer 1', 'Answer 2']}
        />
      </section>
    );
  return (
    <section class="sides" aria-label="Answers">
      {([1, 2] as const).map((answer) => (
        <div class="answer" key={answer}>
          <AnswerHead index={index} pair={pair} answer={answer} length={chars[2 * pair + answer - 1] ?? 0} />
          <Text text={answer === 1 ? one : two} raw={mode === 'raw'} />
        </div>
      ))}
      {one === two && <p class="note whole">Both answers are identical.</p>}
    </section>
  );
}

// ---- what the judge said ----

function Orders({ judge, answers, raw }: { judge: Judge; answers: Answer[]; raw: boolean }) {
  const orders = judge.orders === 'both' ? (['12', '21'] as const) : [judge.orders];
  return (
    <section aria-labelledby="said-h">
      <h2 id="said-h">What the judge said</h2>
      <div class={orders.length === 2 ? 'sides' : ''}>
        {orders.map((order) => (
          <div key={order}>
            <h3>
              Order {order}: answer {order[0]} was shown first
            </h3>
            {answers.filter((a) => a.order === order).map((a) => (
              <Said answer={a} raw={raw} key={`${a.stage ?? 0}-${a.sample}`} />
            ))}
            {!answers.some((a) => a.order === order) && <p class="blank">Nothing was asked.</p>}
          </div>
        ))}
      </div>
    </section>
  );
}

function People({ texts }: { texts: Texts }) {
  if (!texts.labels?.length) return null;
  return (
    <section aria-labelledby="labels-h">
      <h2 id="labels-h">What people said</h2>
      <ul class="labels">
        {texts.labels.map((l) => (
          <li>
            <VerdictMark verdict={verdictOf(l.label)} />
            {l.by && ` by ${l.by}`}
            {l.familiar === false && ', not familiar with the topic'}
            {l.adjudicated && ', adjudicated: counts alone'}
            {l.left && `, answer ${l.left} stood left`}
            {l.note && <span dir="auto">: {l.note}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

// ---- around it ----

function Ruling({ index, pair }: { index: Index; pair: number }) {
  const row = allRows.value.find((r) => r.pair === pair);
  if (!row) return <p class="blank">This judge never saw the pair.</p>;
  const conflict = { first: 'the orders disagree, each for its first slot', second: 'the orders disagree, each for its second slot', tie: 'the orders disagree, one of them with a tie', none: 'the orders agree', unknown: '' }[row.conflict];
  return (
    <p class="ruling">
      Ruling: <VerdictMark verdict={row.ruling} />
      {row.tieFromConflict && ' by conflict, no opinion about the answers'}
      {row.byPeople && ' by people'}
      {conflict && `; ${conflict}`}
      {row.score1 != null && `; calibrated scores ${score(row.score1)} and ${score(row.score2)}`}
      {row.bpde != null && `; BPDE ${number(row.bpde)}`}
      {`; ${row.valid} of ${row.asked} replies with a verdict`}
      {row.label !== 0 && (
        <>
          . People: <VerdictMark verdict={row.label} />
          {row.split ? ' (no clear majority)' : ''}
          {row.label === row.ruling ? '' : <strong class="against"> against the judge</strong>}
        </>
      )}
      . Revision <code>{index.pairs.revision[pair]}</code>
    </p>
  );
}

function goto(pair: number | undefined): void {
  if (pair != null) location.hash = pairHref(pair).slice(1);
}

function Modes(props: { mode: Mode; set: (mode: Mode) => void; parts: boolean }) {
  const modes: [Mode, string, string][] = [
    ['plain', 'Rendered', ''],
    ['aligned', 'Aligned parts', ' V'],
    ['raw', 'Raw', ' R'],
  ];
  return (
    <div class="quick" role="group" aria-label="How texts are shown">
      {modes.map(([mode, name, key]) => (
        <button
          type="button" aria-pressed={props.mode === mode}
          disabled={mode === 'aligned' && !props.parts} onClick={() => props.set(mode)}
        >
          {name}{key && <kbd>{key.trim()}</kbd>}
        </button>
      ))}
    </div>
  );
}

function Missing({ index }: { index: Index }) {
  if (!index.texts)
    return (
      <p class="blank">
        This report was made without texts: it holds hashes and numbers. They are in the ledger.
      </p>
    );
  return (
    <p class="blank">
      The texts of this pair are not in this file. Its ledger may not hold them, or they did not
      fit into {integer(index.max_bytes / 1e6)} MB; --max-size keeps more.
    </p>
  );
}

export function PairView({ index, judge, pair }: { index: Index; judge: Judge; pair: number }) {
  const [mode, setMode] = useState<Mode>('plain');
  const loaded = usePair(index, pair, judgeAt.value);
  const order = shownRows.value.map((r) => r.pair);
  const at = order.indexOf(pair);
  const texts = loaded?.texts ?? null;
  const toggle = (wanted: Mode) => setMode((old) => (old === wanted ? 'plain' : wanted));
  const next = at >= 0 ? order[at + 1] : undefined;
  const previous = at > 0 ? order[at - 1] : undefined;
  useKeys({
    j: () => goto(next),
    k: () => goto(previous),
    v: () => texts?.parts && toggle('aligned'),
    r: () => toggle('raw'),
  });
  useEffect(() => {
    scrollTo(0, 0);
    document.getElementById('pair-h')?.focus();
  }, [pair]);
  const category = index.pairs.category.names[index.pairs.category.of[pair] ?? -1];
  return (
    <main id="pair">
      <nav class="pair-nav" aria-label="Pairs">
        <a href={sectionHref('pairs')}>Back to the list</a>
        <button type="button" disabled={previous == null} onClick={() => goto(previous)}>
          Previous<kbd>K</kbd>
        </button>
        <button type="button" disabled={next == null} onClick={() => goto(next)}>
          Next<kbd>J</kbd>
        </button>
        {at >= 0 && <span>{integer(at + 1)} of {integer(order.length)}</span>}
      </nav>
      <h1 id="pair-h" tabIndex={-1}>
        Pair {pairName(pair)} {category && <small>{category}</small>}
      </h1>
      {index.judges.length > 1 && (
        <label class="judge-choice">
          Judge
          <select
            value={judge.name} onChange={(e) => replaceRoute({ judge: e.currentTarget.value })}
          >
            {index.judges.map((j) => (
              <option value={j.name} selected={j.name === judge.name}>{j.name}</option>
            ))}
          </select>
        </label>
      )}
      <Ruling index={index} pair={pair} />
      {!canUnpack() && (
        <p class="blank">This browser cannot unpack texts (it has no DecompressionStream).</p>
      )}
      {loaded?.error && <p class="blank" role="alert">The pair cannot be shown: {loaded.error}</p>}
      {!loaded && canUnpack() && <p class="note">Unpacking the texts.</p>}
      {loaded && !loaded.error && texts?.question == null && <Missing index={index} />}
      {texts?.question != null && (
        <>
          <Modes mode={mode} set={setMode} parts={texts.parts != null} />
          <section aria-labelledby="question-h">
            <h2 id="question-h">Question</h2>
            <div class="question-text"><Text text={texts.question} raw={mode === 'raw'} /></div>
            {texts.reference && (
              <details>
                <summary>Reference answer</summary>
                <Text text={texts.reference} raw={mode === 'raw'} />
              </details>
            )}
          </section>
          <Answers index={index} pair={pair} texts={texts} mode={mode} />
        </>
      )}
      {texts && <People texts={texts} />}
      {loaded?.answers && <Orders judge={judge} answers={loaded.answers} raw={mode === 'raw'} />}
      {loaded && !loaded.error && (
        <CopyJson
          key={pair}
          value={{ id: index.pairs.id[pair], judge: judge.name, ...texts, replies: loaded.answers }}
        />
      )}
    </main>
  );
}
