// SPDX-License-Identifier: MIT
//
// The card's first screen: the judge as such, then a row for each probe, worst first, and
// what follows from it.
//
// Probes that made an answer worse and probes that dressed it up stand apart, each under
// the question that it answers: their shares count different things.
import type { ComponentChildren } from 'preact';
import { type Card, type Form, type Judge, pairedOf, type Probe, type ProbeWords, type State } from './data.ts';
import { Axis, DotLine, Key, StateMark } from './dots.tsx';
import { sectionHref } from './state.ts';
import { describe, of100, range, share, spread } from './words.ts';

// ---- the judge as such ----

interface Fact {
  name: string;
  bad: boolean;
  unknown?: boolean;
  words: string;
  limit: string;
  chart?: ComponentChildren;
}

function factsOf(card: Card): Fact[] {
  const { position: order, limits } = card;
  const first = order.first_rate;
  const most = limits.max_first_rate;
  return [
    {
      name: 'Order',
      bad: card.fault === 'order_bias',
      unknown: first.value == null,
      words:
        first.value == null
          ? 'no decided vote'
          : `first answer in ${of100(first.value)} of 100 (${range(first)})`,
      limit: `limits ${of100(1 - most)} and ${of100(most)}`,
      chart: (
        <DotLine
          rate={first} height={20} rule={0.5} limits={[1 - most, most]}
          description={`Decided votes for the first answer: ${of100(first.value)} of 100, 95 % interval ${range(first)}`}
        />
      ),
    },
    {
      name: 'Ties',
      bad: card.fault === 'always_tie',
      unknown: order.tie_rate == null,
      words: order.tie_rate == null ? 'no valid vote' : `${of100(order.tie_rate)} of 100 votes`,
      limit: `limit ${of100(limits.max_tie_rate)}`,
    },
    {
      name: card.people ? 'Half against half' : 'Asked again',
      bad: card.fault === 'unstable',
      unknown: order.kappa_of_controls == null || order.kappa_of_controls < limits.min_kappa,
      words:
        order.kappa_of_controls == null
          ? 'agreement undefined'
          : `${card.people ? 'the halves agree' : 'agrees with itself'}: kappa ${order.kappa_of_controls.toFixed(2)}`,
      limit:
        order.kappa_of_controls != null && order.kappa_of_controls < limits.min_kappa && card.fault !== 'unstable'
          ? `below the limit of ${limits.min_kappa.toFixed(2)}, but that can be chance`
          : `limit ${limits.min_kappa.toFixed(2)}; 1 is always`,
    },
    {
      name: 'Failed votes',
      bad: card.fault === 'failed_votes',
      words: `${order.failed} of ${order.votes}, plain pairs`,
      limit: `limit ${of100(limits.max_failed)} of 100`,
    },
  ];
}

function Facts({ card }: { card: Card }) {
  return (
    <section class="facts-row" aria-labelledby="first-h">
      <h2 id="first-h">First: can its verdicts be read at all?</h2>
      <ul>
        {factsOf(card).map((f) => (
          <li class={f.bad ? 'bad' : ''}>
            <h3>
              <StateMark
                state={f.bad ? 'cannot_be_read' : f.unknown ? 'not_enough_data' : 'held_up'}
                word={f.name}
              />
            </h3>
            <p class="small">
              {f.words}; {f.bad ? <strong>beyond the </strong> : ''}{f.limit}
            </p>
            {f.chart}
          </li>
        ))}
      </ul>
    </section>
  );
}

// ---- a probe ----

function Numbers({ probe }: { probe: Probe }) {
  const r = pairedOf(probe, probe.form);
  if (!r) return <p class="small">No pair counts.</p>;
  return (
    <>
      <p class="said-number">
        <strong>{share(r)}</strong>
        {r.hits > 0 ? ` (${range(r.asr)})` : ''}
      </p>
      <p class="small">
        {r.hits > 0 ? '' : `${spread(r)}; `}
        placebo {of100(r.placebo.value)}; {r.n} of {probe.pairs} pairs
      </p>
    </>
  );
}

function Row({ words, probe }: { words: ProbeWords; probe: Probe }) {
  const r = pairedOf(probe, probe.form);
  const hidden = probe.state === 'cannot_be_read';
  const chart = r && (
    <DotLine
      rate={r.asr} tick={r.placebo.value} coin={probe.coin_flip} state={probe.state}
      description={describe(probe, words.short, r)}
    />
  );
  return (
    <li class={`row ${probe.state}`}>
      <StateMark state={probe.state} word={words.state_text} />
      <div class="what">
        <h3>
          <a href={sectionHref(`probe-${words.name}`)}>{words.short}</a>
        </h3>{' '}
        <span class="small">{words.what}</span> <span class="finding small">{words.finding}</span>
      </div>
      <div class="measure">{hidden ? null : chart}</div>
      <div class="numbers-cell">
        {hidden ? (
          <details>
            <summary>Show the number anyway</summary>
            {chart}
            <Numbers probe={probe} />
          </details>
        ) : (
          <Numbers probe={probe} />
        )}
      </div>
    </li>
  );
}

const QUESTIONS: Record<Form, [string, string]> = {
  oversight: [
    'Does it notice when an answer is made worse?',
    'Faults that go unnoticed: the answer that has them is still preferred, or tied.',
  ],
  susceptibility: [
    'Is it swayed by what should not matter?',
    'Verdicts that go over to an answer once it is dressed up, though it says the same.',
  ],
};

function Group({ form, judge, card }: { form: Form; judge: Judge; card: Card }) {
  const list = judge.probes.filter((p) => card.probes[p.name]?.form === form);
  const [title, note] = QUESTIONS[form];
  if (list.length === 0) return null;
  return (
    <section class="group" aria-labelledby={`${form}-h`}>
      <div class="group-head">
        <div>
          <h2 id={`${form}-h`}>{title}</h2>
          <p class="small">{note}</p>
        </div>
        <div class="axis-cell">
          <Axis />
        </div>
        <p class="small axis-word">of 100 (95 % interval)<br />further right is worse</p>
      </div>
      <ol class="rows">
        {list.map((words) => {
          const probe = card.probes[words.name];
          return probe ? <Row words={words} probe={probe} key={words.name} /> : null;
        })}
      </ol>
    </section>
  );
}

// The group that holds the worst probe comes first.
function groupOrder(judge: Judge, card: Card): Form[] {
  const first = judge.probes[0];
  const worst = first ? card.probes[first.name]?.form : undefined;
  return worst === 'susceptibility' ? ['susceptibility', 'oversight'] : ['oversight', 'susceptibility'];
}

// ---- what follows ----

function UseList(props: { title: string; state: State; list: string[]; note?: string }) {
  if (props.list.length === 0) return null;
  return (
    <>
      <h3>
        <StateMark state={props.state} word={props.title} />
      </h3>
      <ul>
        {props.list.map((use) => (
          <li>{use}</li>
        ))}
      </ul>
      {props.note && <p class="small">{props.note}</p>}
    </>
  );
}

function UsesBox({ judge, card }: { judge: Judge; card: Card }) {
  const { uses } = judge;
  const limit = of100(card.limits.margin);
  return (
    <aside class="uses" aria-labelledby="uses-h">
      <h2 id="uses-h">{card.people ? 'What to use these votes for' : 'What to use it for'}</h2>
      {judge.fault && (
        <>
          <h3>
            <StateMark state="cannot_be_read" word="Do not use it" />
          </h3>
          <p>Not as it is: {judge.fault}.</p>
        </>
      )}
      <UseList title="Do not use it for" state="fooled" list={uses.not} />
      <UseList title="Use it with both orders and people for" state="affected" list={uses.both} />
      <UseList
        title="Use it for" state="held_up" list={uses.use}
        note={`No effect of ${limit} in 100 or more was found there; that is all it means.`}
      />
      <UseList title="Not known: too few pairs" state="not_enough_data" list={uses.unknown} />
      <UseList title="Not known: cannot be read" state="cannot_be_read" list={uses.unreadable} />
      {uses.untested.length > 0 && (
        <p class="small">
          <strong>Not tested:</strong> {uses.untested.join(', ')}.
        </p>
      )}
    </aside>
  );
}

export function FirstScreen({ judge, card }: { judge: Judge; card: Card }) {
  return (
    <div class="top">
      <div class="top-main">
        <Facts card={card} />
        {judge.probes.length > 0 && <Key people={card.people != null} />}
        {groupOrder(judge, card).map((form) => (
          <Group form={form} judge={judge} card={card} key={form} />
        ))}
      </div>
      <UsesBox judge={judge} card={card} />
    </div>
  );
}
