// SPDX-License-Identifier: MIT
//
// The page: head with sentence and warnings, the list of sections, the sections; or one
// pair in their place. The report stays as it is while a pair is open, so that going back
// finds it where it was.
import { day, integer, plural } from '../shared/format.ts';
import { Foot, MadeBy, useFrame } from '../shared/frame.tsx';
import { Table } from '../shared/table.tsx';
import type { Index, Judge } from './data.ts';
import { PairView } from './pair.tsx';
import { Pairs } from './pairs.tsx';
import { Cost, Judged, Judges, Won } from './sections_all.tsx';
import {
  Categories, Estimates, Gap, Length, People, Portia, Position, Settings, Unsure,
} from './sections_judge.tsx';
import { findPair, index as indexSignal, judge as judgeSignal, replaceRoute, route, sectionHref } from './state.ts';

const SECTIONS: [string, string][] = [
  ['won', 'Which answers won?'],
  ['judged', 'What was judged?'],
  ['position', 'Does position decide?'],
  ['gap', 'When does it contradict itself?'],
  ['unsure', 'How unsure is it?'],
  ['people', 'Do people agree?'],
  ['estimate', 'Which estimate to quote?'],
  ['judges', 'Do judges agree?'],
  ['length', 'Does length decide?'],
  ['categories', 'Where is it different?'],
  ['settings', 'Other settings'],
  ['portia', 'Splitting the answers'],
  ['cost', 'What did it cost?'],
  ['pairs', 'The pairs'],
];

function dates(judges: Judge[]): string {
  const known = judges.filter((j) => j.first_ms >= 0);
  if (known.length === 0) return 'unknown';
  const first = day(Math.min(...known.map((j) => j.first_ms)));
  const last = day(Math.max(...known.map((j) => j.last_ms)));
  return first === last ? first : `${first} to ${last}`;
}

function holdsWords(index: Index): string {
  if (index.redacted == null) return holdsTexts(index);
  const matches = `${integer(index.redacted)} ${index.redacted === 1 ? 'match' : 'matches'}`;
  return `${holdsTexts(index)} ${matches} of a pattern given with --redact ${index.redacted === 1 ? 'is' : 'are'} left out and shown as [redacted].`;
}

function holdsTexts(index: Index): string {
  if (!index.texts) return 'This file holds ids, hashes and numbers, and no texts.';
  const all = index.pairs.n;
  if (index.placed >= all)
    return 'This file holds the questions, answers, replies, labels and notes of every pair that its ledger has texts of.';
  return (
    `This file holds the texts of ${integer(index.placed)} of ${integer(all)} pairs, those without ` +
    'ruling, in conflict, labelled and uncertain first; --max-size keeps more. Numbers are over all pairs.'
  );
}

function Method({ index }: { index: Index }) {
  return (
    <details class="method">
      <summary>How these numbers were made</summary>
      <dl class="facts-list">
        <dt>Data</dt>
        <dd>{index.ledgers.map((l) => l.data ?? 'judgments without data set').join(', ')}: {plural(index.pairs.n, 'pair')}, {plural(index.annotators.labels, 'label')}</dd>
        <dt>Asked</dt>
        <dd>{dates(index.judges)}</dd>
        <MadeBy index={index} />
        <dt>Texts</dt>
        <dd>{holdsWords(index)}</dd>
      </dl>
      <Table
        caption="Judges and how they were asked"
        head={['Judge', 'Backend and model', 'Method', 'Orders', 'Replies (k)', 'Template', 'Parameters', 'Models that answered', 'Pairs']}
        rows={index.judges.map((j) => [
          j.name, j.summary.judge, j.summary.method, j.orders, j.summary.k,
          j.summary.template + (j.template_hash ? ` (${j.template_hash})` : ''),
          Object.entries(j.summary.params).map(([k, v]) => `${k} ${String(v)}`).join(', '),
          j.summary.models.map((m) => `${m.model ?? 'not named'} ${m.fingerprint ?? ''}`.trim()).join(', '),
          j.summary.pairs,
        ])}
      />
      {index.judges.filter((j) => j.template_text).map((j) => (
        <details>
          <summary>Template of {j.name}</summary>
          <pre tabIndex={0} role="region" aria-label={`Template of ${j.name}`}>{j.template_text}</pre>
        </details>
      ))}
    </details>
  );
}

function Head({ index }: { index: Index }) {
  const data = index.ledgers.find((l) => l.data)?.data ?? index.ledgers[0]?.name ?? '';
  const single = index.judges.length === 1 ? index.judges[0] : null;
  return (
    <header>
      <h1>Report: {data}</h1>
      <p class="subtitle">
        {single
          ? `${single.name}, ${single.summary.method}, k = ${single.summary.k}; `
          : `${plural(index.judges.length, 'judge')}; `}
        {plural(index.pairs.n, 'pair')}; asked {dates(index.judges)}
      </p>
      <p class="sentence">{index.sentence}</p>
      {index.warnings.map((w) => (
        <p class="warning">
          <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
            <path d="M9 2 L17 16 H1 Z" class="edge" />
            <path d="M9 7 V11.5 M9 13 V14.4" class="stroke" />
          </svg>
          <span><strong class="visually-hidden">Warning: </strong>{w}</span>
        </p>
      ))}
      <Method index={index} />
    </header>
  );
}

function JudgeChoice({ index, judge }: { index: Index; judge: Judge }) {
  if (index.judges.length < 2) return null;
  return (
    <label class="judge-choice">
      Judge shown in detail
      <select value={judge.name} onChange={(e) => replaceRoute({ judge: e.currentTarget.value })}>
        {index.judges.map((j) => (
          <option value={j.name} selected={j.name === judge.name}>{j.name}</option>
        ))}
      </select>
    </label>
  );
}

function Contents({ index, judge }: { index: Index; judge: Judge }) {
  const list = SECTIONS.filter(([id]) => id !== 'portia' || judge.summary.portia);
  return (
    <nav class="contents" aria-label="Sections">
      <JudgeChoice index={index} judge={judge} />
      <details open={innerWidth >= 1200}>
        <summary>Sections</summary>
        <ol>
          {list.map(([id, name]) => (
            <li>
              <a href={sectionHref(id)}>{name}</a>
            </li>
          ))}
        </ol>
      </details>
    </nav>
  );
}

function Report({ index, judge }: { index: Index; judge: Judge }) {
  return (
    <div class="layout">
      <a class="skip" href={sectionHref('pairs')}>Skip to the pairs</a>
      <Contents index={index} judge={judge} />
      <main>
        <Head index={index} />
        <Won index={index} />
        <Judged index={index} />
        <Position index={index} judge={judge} />
        <Gap index={index} judge={judge} />
        <Unsure index={index} judge={judge} />
        <People index={index} judge={judge} />
        <Estimates index={index} judge={judge} />
        <Judges index={index} />
        <Length index={index} judge={judge} />
        <Categories index={index} judge={judge} />
        <Settings index={index} judge={judge} />
        <Portia index={index} judge={judge} />
        <Cost index={index} />
        <Pairs index={index} judge={judge} />
      </main>
    </div>
  );
}

export function App() {
  const index = indexSignal.value;
  const judge = judgeSignal.value;
  const { pair, section } = route.value;
  const at = pair == null ? -1 : findPair(pair);
  const open = index != null && judge != null && at >= 0;
  useFrame(open ? at : -1, section);
  if (!index) return null;
  if (!judge)
    return (
      <main>
        <Head index={index} />
      </main>
    );
  return (
    <>
      <div hidden={open}>
        <Report index={index} judge={judge} />
      </div>
      {open && <PairView index={index} judge={judge} pair={at} />}
      {pair != null && at < 0 && (
        <p class="blank" role="alert">No pair is called {pair}.</p>
      )}
      <Foot version={index.version} ledgers={index.ledgers} holds={holdsWords(index)} />
    </>
  );
}
