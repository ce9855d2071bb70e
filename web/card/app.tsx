// SPDX-License-Identifier: MIT
//
// The page: head and first screen of one judge, what stands below, the pairs; or one pair
// in their place.
import { day, integer, plural, usd } from '../shared/format.ts';
import { Foot, MadeBy, useFrame } from '../shared/frame.tsx';
import type { Card, Index, Judge } from './data.ts';
import { Cost, Details, Length, Limits, SideBySide } from './details.tsx';
import { PairView } from './pair.tsx';
import { Pairs } from './pairs.tsx';
import { Parts, Tables } from './parts.tsx';
import { FirstScreen } from './probes.tsx';
import { card as cardSignal, findRow, index as indexSignal, judge as judgeSignal, NO_FILTER, replaceRoute, route, sectionHref } from './state.ts';

function holdsWords(index: Index): string {
  if (!index.texts) return 'This file holds ids, hashes and numbers, and no texts.';
  if (index.placed >= index.units.n)
    return 'This file holds the questions, answers, perturbed answers and replies of every pair.';
  return (
    `This file holds the texts of ${integer(index.placed)} of ${integer(index.units.n)} pairs, those that ` +
    'were fooled or unread first; --max-size keeps more. Numbers are over all pairs.'
  );
}

function asked(judge: Judge): string {
  if (judge.first_ms < 0) return '';
  return `; asked ${[...new Set([day(judge.first_ms), day(judge.last_ms)])].join(' to ')}`;
}

function paramsWords(judge: Judge): string {
  return Object.entries(judge.params ?? {})
    .map(([k, v]) => `${k} ${String(v)}`)
    .join(', ');
}

function PeopleFacts({ people }: { people: NonNullable<Card['people']> }) {
  const { votes_a_pair_low: low, votes_a_pair_high: high } = people;
  return (
    <p class="subtitle">
      {people.people} {people.people === 1 ? 'person' : 'people'}, {plural(people.votes, 'vote')} that count,{' '}
      {low === high ? low : `${low} to ${high}`} on a pair; {integer(people.rows_labelled)} of the audit's{' '}
      {plural(people.rows, 'pair')} have a vote.{' '}
      <a href={sectionHref('people')}>What was left out</a>
    </p>
  );
}

function Facts({ judge, card }: { judge: Judge; card: Card }) {
  if (card.people) return <PeopleFacts people={card.people} />;
  const how = [card.template && `template ${card.template}`, paramsWords(judge)].filter(Boolean).join(', ');
  return (
    <p class="subtitle">
      {how}
      {asked(judge)}; {plural(card.pairs, 'pair')}, {card.votes_a_pair} votes on each, half in each order;{' '}
      {plural(card.calls, 'call')}; {integer(card.failed)} of {plural(card.votes, 'vote')} without a verdict; cost {usd(card.cost_usd)}
    </p>
  );
}

function Made({ index }: { index: Index }) {
  return (
    <details class="method">
      <summary>How this card was made</summary>
      <dl class="facts-list">
        <dt>Data</dt>
        <dd>{[...new Set(index.ledgers.map((l) => l.data ?? 'unknown'))].join(', ')}: {plural(index.units.n, 'plain pair')}</dd>
        <MadeBy index={index} />
        <dt>Votes</dt>
        <dd>
          Each pair is asked as it is, asked once more (placebo), and asked with one answer changed, as often in each
          order. What a change does is the difference to the placebo on the same pairs.
        </dd>
      </dl>
    </details>
  );
}

function JudgeChoice({ index, judge }: { index: Index; judge: Judge }) {
  if (index.judges.length < 2) return null;
  return (
    <label class="judge-choice">
      Judge shown below
      <select value={judge.name} onChange={(e) => replaceRoute({ judge: e.currentTarget.value, filter: NO_FILTER })}>
        {index.judges.map((j) => (
          <option value={j.name} selected={j.name === judge.name}>{j.name}</option>
        ))}
      </select>
    </label>
  );
}

function Whole({ index, judge, card }: { index: Index; judge: Judge; card: Card }) {
  return (
    <main>
      <a class="skip" href={sectionHref('pairs')}>Skip to the pairs</a>
      <header>
        <h1>
          Judge card{index.judges.length === 1 && <>: {judge.name}</>}
        </h1>
        <SideBySide index={index} />
        <JudgeChoice index={index} judge={judge} />
        {index.judges.length > 1 && <h2 class="judge-name">{judge.name}</h2>}
        <Facts judge={judge} card={card} />
        <p class="sentence">{judge.sentence}</p>
      </header>
      <FirstScreen judge={judge} card={card} />
      {judge.probes.length === 0 && <Parts judge={judge} />}
      <p class="foot-line">
        {judge.limits[0]} {judge.limits[1]}{' '}
        <a href={sectionHref('limits')}>What this card does not say</a>.{' '}
        {holdsWords(index)}
      </p>
      <Made index={index} />
      {judge.probes.length > 0 && <Parts judge={judge} />}
      <Details judge={judge} card={card} />
      <Length card={card} />
      <Tables judge={judge} />
      <Cost index={index} />
      <Limits judge={judge} card={card} />
      <Pairs judge={judge} card={card} texts={index.texts} />
    </main>
  );
}

export function App() {
  const index = indexSignal.value;
  const judge = judgeSignal.value;
  const card = cardSignal.value;
  const { pair, section } = route.value;
  const row = pair == null ? null : findRow(pair);
  useFrame(row ? row.at : -1, section);
  if (!index) return null;
  if (!judge || !card)
    return (
      <main>
        <h1>Judge card</h1>
        <p class="blank">No judge was audited in {index.ledgers.map((l) => l.name).join(', ')}.</p>
      </main>
    );
  return (
    <>
      <div hidden={row != null}>
        <Whole index={index} judge={judge} card={card} />
      </div>
      {row && <PairView index={index} judge={judge} card={card} row={row} />}
      {pair != null && !row && <p class="blank" role="alert">No pair of this judge is called {pair}.</p>}
      <Foot version={index.version} ledgers={index.ledgers} holds={holdsWords(index)} />
    </>
  );
}
