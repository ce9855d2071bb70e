// SPDX-License-Identifier: MIT
//
// Judges side by side; and below the first screen each probe in detail, length, cost and
// the limits.
import { day, integer, number, pValue, plural, usd } from '../shared/format.ts';
import { CountGrid, Table } from '../shared/table.tsx';
import {
  type Card, cardOf, type Class, type CountTable, type Index, type Judge, pairedOf, type Probe,
  type ProbeWords,
} from './data.ts';
import { Axis, DotLine, StateMark } from './dots.tsx';
import { Section } from './section.tsx';
import { judge as judgeSignal, NO_FILTER, sectionHref, writeRoute } from './state.ts';
import { describe, of100, range, share, spread } from './words.ts';

// ---- judges side by side ----

// Probes of all judges, each once, in the order in which they are met.
function allProbes(index: Index): ProbeWords[] {
  const seen = new Map<string, ProbeWords>();
  for (const judge of index.judges)
    for (const probe of judge.probes) if (!seen.has(probe.name)) seen.set(probe.name, probe);
  return [...seen.values()];
}

function Cell({ words, probe }: { words: ProbeWords | undefined; probe: Probe | undefined }) {
  if (!probe || !words) return <td class="small">not tested</td>;
  const r = pairedOf(probe, probe.form);
  const readable = probe.state !== 'cannot_be_read' && r;
  return (
    <td>
      <StateMark state={probe.state} word={words.state_text} />
      {readable && (
        <>
          <span class="cell-number">{share(r)}</span>
          <small>{r.hits > 0 ? `(${range(r.asr)})` : spread(r)}</small>
          <small>placebo {of100(r.placebo.value)}</small>
        </>
      )}
    </td>
  );
}

// One judge at two dates: from the first to the second.
function Change({ index, probes }: { index: Index; probes: ProbeWords[] }) {
  const { change } = index;
  if (!change) return null;
  return (
    <tr class="change">
      <th scope="row">Change</th>
      <td />
      <td />
      {probes.map((p) => {
        const cell = change.cells.find((c) => c.name === p.name);
        return <td class={cell?.shown ? 'shown' : 'small'}>{cell?.words}</td>;
      })}
    </tr>
  );
}

export function SideBySide({ index }: { index: Index }) {
  const probes = allProbes(index);
  if (index.judges.length < 2) return null;
  const chosen = judgeSignal.value?.name;
  return (
    <section class="side-by-side" id="judges" aria-labelledby="judges-h">
      <h2 id="judges-h">Judges side by side</h2>
      <p class="small">
        Of 100, how many faults go unnoticed, or how many verdicts go over to the answer that was
        dressed up, with 95 % intervals. There is no overall grade: which row matters depends on
        what you judge. A name opens the judge's card below.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Judges by probes">
        <table class="judges">
          <caption class="visually-hidden">Judges by probes</caption>
          <thead>
            <tr>
              <th scope="col">Judge</th>
              <th scope="col">Asked</th>
              <th scope="col">First answer</th>
              {probes.map((p) => (
                <th scope="col">{p.short}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {index.judges.map((j) => {
              const card = cardOf(index, j);
              return (
                <tr class={j.name === chosen ? 'chosen' : ''}>
                  <th scope="row">
                    <a href={writeRoute({ section: '', pair: null, judge: j.name, filter: NO_FILTER })}
                      aria-current={j.name === chosen ? 'true' : undefined}>
                      {j.name}
                    </a>
                  </th>
                  <td class="small">{j.last_ms < 0 ? '' : day(j.last_ms)}</td>
                  <td>
                    {of100(card.position.first_rate.value)}
                    <small>{range(card.position.first_rate) && `(${range(card.position.first_rate)})`}</small>
                  </td>
                  {probes.map((p) => (
                    <Cell words={j.probes.find((own) => own.name === p.name)} probe={card.probes[p.name]} />
                  ))}
                </tr>
              );
            })}
            <Change index={index} probes={probes} />
          </tbody>
        </table>
      </div>
      {index.change && <p class="note">{index.change.note}</p>}
    </section>
  );
}

// ---- a probe in detail ----

const CLASSES: Class[] = ['other', 'tie', 'perturbed'];
const CLASS_NAMES = ['other', 'tie', 'changed'];

function counts(table: CountTable): number[] {
  return CLASSES.flatMap((c) => CLASSES.map((e) => table[c][e]));
}

function Categories({ words, probe }: { words: ProbeWords; probe: Probe }) {
  const groups = Object.entries(probe.by_category).filter(([, g]) => (g[probe.form]?.n ?? 0) > 0);
  if (groups.length < 2) return null;
  return (
    <>
      <h4>By category</h4>
      <ul class="lines">
        <li class="line-head">
          <span />
          <Axis />
          <span class="small">of 100 (95 % interval)</span>
        </li>
        {groups.map(([name, group]) => {
          const r = group[probe.form];
          return r ? (
            <li>
              <span class="line-name">{name || 'none'}</span>
              <DotLine
                rate={r.asr} tick={r.placebo.value} state={r.n < 30 ? 'not_enough_data' : undefined}
                description={describe(probe, `${words.short}, ${name}`, r)}
              />
              <span class="small">
                {share(r)} ({r.hits > 0 ? range(r.asr) : spread(r)}); {plural(r.n, 'pair')}
              </span>
            </li>
          ) : null;
        })}
      </ul>
      <p class="note">
        Many groups: one of them is likely to show something that is not there. Dashed lines stand
        for fewer than 30 pairs.
      </p>
    </>
  );
}

function Detail({ words, probe, judge, card }: { words: ProbeWords; probe: Probe; judge: Judge; card: Card }) {
  const r = pairedOf(probe, probe.form);
  const grid = (table: CountTable, title: string) => (
    <CountGrid
      counts={counts(table)} rows={CLASS_NAMES} columns={CLASS_NAMES} rowTitle="plain pair"
      columnTitle={title} marked={(row, column) => row === column}
    />
  );
  return (
    <article id={`probe-${words.name}`} class="detail">
      <h3>
        <StateMark state={probe.state} word={`${words.short}: ${words.state_text.toLowerCase()}`} />
      </h3>
      <p>
        {words.what} {words.finding}{' '}
        {judge.items.n > 0 && (
          <a href={sectionHref('pairs', { ...NO_FILTER, probe: words.name, outcome: '2' })}>
            {r ? `The ${plural(r.hits, 'pair')} that ${probe.form === 'oversight' ? 'it missed' : 'went over'}` : 'Its pairs'}
          </a>
        )}
      </p>
      <details>
        <summary>Which verdict became which{Object.keys(probe.by_category).length > 1 ? ', and categories' : ''}</summary>
        <div class="grids">
          {grid(probe.table, 'with the change')}
          {grid(probe.table_placebo, card.people ? 'the other half of its votes' : 'asked again, nothing changed')}
        </div>
        <p class="note">
          Counts of pairs by what was preferred: the other answer, none, or the one that is
          changed. {r && `p ${pValue(r.p)}, q ${pValue(probe.q)} over all probes, Holm ${pValue(probe.holm)}.`}{' '}
          {r && probe.detectable != null && probe.detectable <= 1 && `${integer(r.n)} pairs can show a difference of ${of100(probe.detectable)} in 100.`}
        </p>
        <Categories words={words} probe={probe} />
      </details>
    </article>
  );
}

export function Details({ judge, card }: { judge: Judge; card: Card }) {
  if (judge.probes.length === 0) return null;
  return (
    <Section id="probes" title="Each probe in detail">
      {judge.probes.map((words) => {
        const probe = card.probes[words.name];
        return probe ? <Detail words={words} probe={probe} judge={judge} card={card} key={words.name} /> : null;
      })}
    </Section>
  );
}

// ---- length, cost, tables, limits ----

function lengthWords(card: Card): string {
  const { bins, trend_p } = card.verbosity;
  const known = bins.filter((b) => b.longer.low != null);
  const over = known.filter((b) => (b.longer.low ?? 0) > 0.5);
  const under = known.filter((b) => (b.longer.high ?? 1) < 0.5);
  const trend = trend_p == null ? '' : ` Trend over the bins: p = ${pValue(trend_p)} (permutation test).`;
  if (known.length === 0) return 'Too few pairs to tell.';
  if (over.length === 0 && under.length === 0)
    return `No lean to the longer or the shorter answer is shown: every interval includes 50.${trend}`;
  const side = over.length >= under.length ? 'longer' : 'shorter';
  return (
    `The ${side} answer is preferred in ${plural(Math.max(over.length, under.length), 'bin')} of ` +
    `${known.length}; that can be taste or quality.${trend}`
  );
}

export function Length({ card }: { card: Card }) {
  const { bins } = card.verbosity;
  return (
    <Section id="length" title="Does it like the longer answer?">
      <p>{lengthWords(card)}</p>
      <ul class="lines">
        <li class="line-head">
          <span class="small">How much longer one answer is</span>
          <Axis />
          <span class="small">mean vote for the longer, of 100</span>
        </li>
        {bins.map((b, i) => {
          const next = bins[i + 1];
          const name = next ? `${b.from_tokens} to ${next.from_tokens} tokens` : `${b.from_tokens} tokens or more`;
          const words =
            b.longer.value == null || b.longer.low == null
              ? `too few (${plural(b.pairs, 'pair')})`
              : `${of100(b.longer.value)} (${range(b.longer)}); ${plural(b.pairs, 'pair')}`;
          return (
            <li>
              <span class="line-name">{name}</span>
              <DotLine rate={b.longer.low == null ? { value: null, low: null, high: null } : b.longer} rule={0.5} description={`${name} longer: ${words}`} />
              <span class="small">{words}</span>
            </li>
          );
        })}
      </ul>
      <p class="note">Plain pairs only; a token is counted as four characters. 50 is no lean.</p>
    </Section>
  );
}

export function Cost({ index }: { index: Index }) {
  return (
    <Section id="cost" title="What did it cost?">
      <Table
        caption="Calls and cost of each judge"
        head={['Judge', 'Calls', 'Votes', 'Without a verdict', 'Still open', 'Cost', 'Asked']}
        rows={index.judges.map((j) => {
          const card = cardOf(index, j);
          return [
            j.name, card.calls, card.people ? card.people.votes : card.votes, card.failed, card.calls_open,
            card.people ? 'not known of people' : usd(card.cost_usd),
            card.people ? '' : j.first_ms < 0 ? 'unknown' : [...new Set([day(j.first_ms), day(j.last_ms)])].join(' to '),
          ];
        })}
      />
      {index.judges.some((j) => !cardOf(index, j).people && cardOf(index, j).cost_usd == null) && (
        <p class="note">A cost is unknown where no price is known for the model, or it named no tokens.</p>
      )}
    </Section>
  );
}

export function Limits({ judge, card }: { judge: Judge; card: Card }) {
  return (
    <Section id="limits" title="What this card does not say">
      <ul class="limit-list">
        {judge.limits.map((l) => (
          <li>{l}</li>
        ))}
        {card.answers_trimmed > 0 && (
          <li>{plural(card.answers_trimmed, 'answer')} lost white space at an end before it was shown.</li>
        )}
      </ul>
      <p class="note">
        Order, ties and failures are held against limits of {of100(1 - card.limits.max_first_rate)} and{' '}
        {of100(card.limits.max_first_rate)}, {of100(card.limits.max_tie_rate)} and{' '}
        {of100(card.limits.max_failed)} of 100; agreement with itself against kappa {number(card.limits.min_kappa)}.
      </p>
    </Section>
  );
}
