// SPDX-License-Identifier: MIT
//
// Sections with a row for every judge: who won, what failed, judges against each other,
// cost.
import {
  integer, kappa, percent, plural, pValue, rateShort, reasonText, signedPoints, usd,
} from '../shared/format.ts';
import { Blank, Table } from '../shared/table.tsx';
import type { Index, Judge, Two } from './data.ts';
import { Figure, Section } from './figure.tsx';
import { Dots, type Part, Strip } from './plots.tsx';
import { otherOf, subjectOf, winCaption, winsCaption } from './words.ts';

function parts(judge: Judge): Part[] {
  const r = judge.summary.rulings;
  return [
    { name: '1', n: r['1'], kind: 'one' },
    { name: 'tie', n: r.tie_agreed, kind: 'tie' },
    { name: 'tie by conflict', n: r.tie_from_conflict, kind: 'conflict' },
    { name: '2', n: r['2'], kind: 'two' },
    { name: 'none', n: r.none, kind: 'none' },
  ];
}

export function Won({ index }: { index: Index }) {
  const { judges } = index;
  const single = judges.length === 1 ? judges[0] : null;
  const caption = single ? winCaption(single) : winsCaption(judges);
  const names = single ? `1 is ${subjectOf(single)}, 2 is ${otherOf(single)}. ` : '';
  return (
    <Section id="won" title="Which answers won?">
      <Figure
        caption={caption}
        tableName="Win rates"
        table={{
          head: ['Judge', 'Win rate of answer 1', '95 % interval', 'Pairs', 'Questions', 'Soft win rate'],
          rows: judges.map((j) => {
            const w = j.summary.win_rate;
            return [
              j.name, percent(w.value, 1000),
              w.low == null ? reasonText(w.why) : `${percent(w.low, 1000)} to ${percent(w.high, 1000)}`,
              w.n, w.questions, rateShort(j.summary.win_rate_soft),
            ];
          }),
        }}
      >
        <Dots
          description={caption}
          rows={judges.map((j) => ({
            label: j.name,
            ...j.summary.win_rate,
            text:
              j.summary.win_rate.value == null
                ? `undefined: ${reasonText(j.summary.win_rate.why)}`
                : rateShort(j.summary.win_rate),
          }))}
          domain={[0, 1]} percent rule={0.5} ruleText="50 %, no winner"
          axis="win rate of answer 1 in %, ties count half; line: 95 % interval"
        />
      </Figure>
      <Figure
        caption={
          `Rulings of pairs. ${names}A tie by conflict is no opinion: opposite verdicts cancelled.`
        }
        tableName="Rulings"
        table={{
          head: ['Judge', '1', 'Tie, agreed', 'Tie by conflict', '2', 'No ruling', 'Pairs'],
          rows: judges.map((j) => [j.name, ...parts(j).map((p) => p.n), j.summary.pairs]),
        }}
      >
        <p class="legend">
          <span class="key k12">1</span> <span class="key ktie">tie, agreed</span>{' '}
          <span class="key kconflict">tie by conflict</span> <span class="key k21">2</span>{' '}
          <span class="key knone">no ruling</span>
        </p>
        <Strip
          description="Counts of rulings: 1, tie, tie by conflict, 2, none"
          rows={judges.map((j) => ({ label: j.name, parts: parts(j) }))}
        />
      </Figure>
    </Section>
  );
}

export function Judged({ index }: { index: Index }) {
  const failed = index.judges.filter((j) => Object.keys(j.summary.failed).length > 0);
  const none = index.judges.filter((j) => j.summary.rulings.none > 0);
  return (
    <Section id="judged" title="What was judged, and what failed?">
      <p>
        A reply from which no verdict could be read is never guessed and never counted as a tie.
      </p>
      <Table
        caption="Replies by order and verdict"
        head={['Judge', 'Order', 'Answer 1', 'Answer 2', 'Tie', 'No verdict']}
        rows={index.judges.flatMap((j) =>
          Object.entries(j.summary.counts).map(([order, c]) => [
            j.name, order === '12' ? '12: answer 1 first' : '21: answer 2 first', c['1'], c['2'],
            c.tie, c.failed,
          ]),
        )}
      />
      {failed.length > 0 && (
        <Table
          caption="Replies without verdict by reason"
          head={['Judge', 'Reason', 'Replies']}
          rows={failed.flatMap((j) =>
            Object.entries(j.summary.failed).map(([why, n]) => [j.name, why.replaceAll('_', ' '), n]),
          )}
        />
      )}
      {none.length > 0 && (
        <Table
          caption="Pairs without ruling by kind"
          head={['Judge', 'Why there is no ruling', 'Pairs']}
          rows={none.flatMap((j) =>
            Object.entries(j.summary.rulings.none_by_reason).map(([why, n]) => [
              j.name, why.replaceAll('_', ' '), n,
            ]),
          )}
        />
      )}
    </Section>
  );
}

// ---- judges against each other ----

function meanKappa(index: Index, at: number): number {
  const own = index.twos.filter((t) => (t.a === at || t.b === at) && t.kappa != null);
  return own.reduce((sum, t) => sum + (t.kappa ?? 0), 0) / Math.max(1, own.length);
}

function Triangle({ index }: { index: Index }) {
  const order = index.judges
    .map((_, i) => i)
    .sort((a, b) => meanKappa(index, b) - meanKappa(index, a));
  const find = (a: number, b: number): Two | undefined =>
    index.twos.find((t) => t.a === Math.min(a, b) && t.b === Math.max(a, b));
  const tint = (t: Two | undefined) =>
    t?.kappa == null ? '' : `tint-${Math.max(0, Math.min(4, Math.floor(5 * t.kappa)))}`;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Kappa between judges">
      <table class="grid triangle">
        <caption class="visually-hidden">Kappa between judges, with the number of pairs</caption>
        <thead>
          <tr>
            <th scope="col">Judge</th>
            {order.slice(0, -1).map((_, i) => (
              <th scope="col">{i + 1}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {order.map((at, i) => (
            <tr>
              <th scope="row">
                {i + 1}. {index.judges[at]?.name}
              </th>
              {order.slice(0, -1).map((other, k) => {
                if (k >= i) return <td class="empty" />;
                const two = find(at, other);
                return (
                  <td class={tint(two)} title={two?.kappa == null ? reasonText(two?.why) : undefined}>
                    {two?.kappa == null ? (two?.n ? 'undefined' : 'no common pairs') : kappa(two.kappa)}
                    {two && two.n > 0 && <small> n = {two.n}</small>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const FINDINGS: Record<string, string> = {
  not_shown: 'no difference shown',
  better: 'the first is kinder to answer 1',
  worse: 'the second is kinder to answer 1',
  equivalent: 'the same within 3 points',
};

export function Judges({ index }: { index: Index }) {
  const known = index.twos.filter((t) => t.n > 0);
  if (index.judges.length < 2)
    return (
      <Section id="judges" title="Do judges agree?">
        <Blank>There is one judge in this report. Give several ledgers, or a ledger with several
          runs, to compare judges.</Blank>
      </Section>
    );
  return (
    <Section id="judges" title="Do judges agree?">
      <Figure
        caption={
          'Kappa between every two judges, over the pairs that both have ruled: 1 is full ' +
          'agreement, 0 what chance gives. Judges are sorted by their mean.'
        }
      >
        <Triangle index={index} />
      </Figure>
      {known.length > 0 && (
        <details>
          <summary>Paired differences of the win rates</summary>
          <Table
            caption="Win rate of the first judge less that of the second, on the same pairs"
            head={['Judges', 'Pairs', 'Agreement', 'Difference in points', '95 % interval', 'p (t test)', 'Finding']}
            rows={known.map((t) => [
              `${index.judges[t.a]?.name} less ${index.judges[t.b]?.name}`, t.n,
              percent(t.agreement, t.n), signedPoints(t.win.value),
              t.win.low == null ? reasonText(t.win.why) : `${signedPoints(t.win.low)} to ${signedPoints(t.win.high)}`,
              pValue(t.win.p), FINDINGS[t.finding] ?? t.finding,
            ])}
          />
          <p class="note">
            {plural(known.length, 'comparison')}: at 5 % each, one in twenty looks like a difference
            by chance.
          </p>
        </details>
      )}
    </Section>
  );
}

// ---- cost ----

export function Cost({ index }: { index: Index }) {
  const perUseful = (j: Judge) => {
    const useful = j.summary.pairs - j.summary.rulings.none;
    return j.summary.cost_usd == null || useful === 0 ? null : j.summary.cost_usd / useful;
  };
  const calls = (j: Judge) => j.summary.models.reduce((sum, m) => sum + m.calls, 0);
  const unknown = index.judges.some((j) => j.summary.cost_usd == null);
  return (
    <Section id="cost" title="What did it cost?">
      <Table
        caption="Calls, tokens and cost by judge"
        head={['Judge', 'Calls', 'Prompt tokens', 'of them cached', 'Completion tokens', 'Cost', 'Cost per 1,000 pairs', 'Cost per ruled pair']}
        rows={index.judges.map((j) => [
          j.name, integer(calls(j)), integer(j.summary.tokens.prompt), integer(j.summary.tokens.cached),
          integer(j.summary.tokens.completion), usd(j.summary.cost_usd),
          usd(j.summary.per_1000.cost_usd), usd(perUseful(j)),
        ])}
      />
      {unknown && (
        <p class="note">
          Unknown is not zero: recorded judgments carry no token counts, and a price is known only
          for models of the price table (--prices).
        </p>
      )}
    </Section>
  );
}
