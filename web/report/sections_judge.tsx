// SPDX-License-Identifier: MIT
//
// Sections about the judge that is chosen: position, score gaps, uncertainty and labels,
// people, estimates, length, categories, other settings, split and merge.
import { useState } from 'preact/hooks';
import {
  integer, kappa, number, percent, rateLong, rateShort, reasonText, score,
} from '../shared/format.ts';
import { Blank, CountGrid, type Maybe, type TableData } from '../shared/table.tsx';
import type { Estimate, Group, Index, Judge, Rate } from './data.ts';
import { Figure, Section } from './figure.tsx';
import { Bins, BpdeBars, type BpdeBar, BudgetLines, Dots, Samples, type Series } from './plots.tsx';
import {
  accuracyCaption, bpdeCaption, conflictCaption, firstCaption, gapCaption, kappaCaption,
  lengthCaption, LENGTHS, subjectOf,
} from './words.ts';

interface Props {
  index: Index;
  judge: Judge;
}

// Of several judges: whose numbers these are.
function Whose({ index, judge }: Props) {
  return index.judges.length > 1 ? <p class="whose">Judge: {judge.name}</p> : null;
}

function text(rate: Rate): string {
  return rate.value == null ? `undefined: ${reasonText(rate.why)}` : rateShort(rate);
}

function conflictRate(judge: Judge): Rate {
  const c = judge.summary.conflict;
  if (!c) return { value: null, low: null, high: null, n: 0, questions: 0, why: 'one_order' };
  return { value: c.rate, low: c.low, high: c.high, n: c.pairs, questions: 0, why: c.why };
}

export function Position({ index, judge }: Props) {
  const rate = conflictRate(judge);
  const both = judge.orders === 'both';
  return (
    <Section id="position" title="Does position decide?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={firstCaption(judge)}
        tableName="Position"
        table={{
          head: ['Number', 'Value', 'n'],
          rows: [
            ['Decided replies for the first slot', judge.summary.position.first, judge.first.n],
            ['for the second slot', judge.summary.position.second, judge.first.n],
            ['ties', judge.summary.position.tie, ''],
            ['Share of the first slot', rateLong(judge.first), judge.first.n],
            ['Pairs in conflict', rateLong(rate), rate.n],
          ],
        }}
      >
        {both && (
          <Dots
            description={firstCaption(judge)}
            rows={[{ label: 'first slot', ...judge.first, text: text(judge.first) }]}
            domain={[0, 1]} percent rule={0.5} ruleText="50 %, no lean"
            axis="share of decided replies for the first slot in %; line: 95 % interval"
          />
        )}
      </Figure>
      {both && (
        <Figure caption={conflictCaption(judge)}>
          <Dots
            description={conflictCaption(judge)}
            rows={[{ label: 'conflicts', ...rate, text: text(rate) }]}
            domain={[0, 1]} percent axis="pairs in conflict in %; line: 95 % interval"
          />
          <CountGrid
            counts={judge.slots}
            rows={['first', 'tie', 'second']} columns={['first', 'tie', 'second']}
            rowTitle="Slot that won in order 12" columnTitle="Slot that won in order 21"
            marked={(r, c) => r + c === 2}
          />
          <p class="note">
            A judge of the answers alone fills only the framed cells: an answer shown first in one
            order is shown second in the other. First and first, second and second, and a tie in one
            order only are conflicts.
          </p>
        </Figure>
      )}
    </Section>
  );
}

function binLabel(g: Group): string {
  const low = score(g.low);
  const high = score(g.high);
  return low === high ? low : `${low} to ${high}`;
}

function groupTable(groups: Group[], name: string, label: (g: Group) => string): TableData {
  return {
    head: [name, 'Pairs', 'Win rate of answer 1', 'Pairs in conflict'],
    rows: groups.map((g) => [label(g), g.n, text(g.win), text(g.conflict)]),
  };
}

export function Gap({ index, judge }: Props) {
  return (
    <Section id="gap" title="When does the judge contradict itself?">
      <Whose index={index} judge={judge} />
      {judge.why_gap ? (
        <Blank>{gapCaption(judge)}</Blank>
      ) : (
        <Figure
          caption={gapCaption(judge)}
          tableName="Conflicts by score gap"
          table={groupTable(judge.gap, 'Score gap', binLabel)}
        >
          <Bins
            description={gapCaption(judge)}
            bins={judge.gap.map((g) => ({ label: binLabel(g), ...g.conflict, n: g.n }))}
            xAxis="score gap: mean over the orders of |score 1 less score 2|"
            yAxis="pairs in conflict in %"
          />
        </Figure>
      )}
    </Section>
  );
}

// ---- uncertainty and what labels would buy ----

// The queue begins with pairs without ruling, then takes BPDE from above.
function markBars(judge: Judge, budget: number): BpdeBar[] {
  const bars = judge.bpde.map((b) => ({ ...b, marked: 0 }));
  let left = budget;
  const mark = (most: (bar: (typeof bars)[number]) => number) => {
    for (const bar of [...bars].reverse()) {
      const taken = Math.min(most(bar), left);
      bar.marked += taken;
      left -= taken;
    }
  };
  mark((bar) => bar.none);
  const seen = judge.bpde.reduce((sum, b) => sum + b.none, 0);
  left = Math.max(0, left - (judge.summary.rulings.none - seen)); // no reply at all: in no bar
  mark((bar) => bar.n - bar.none);
  return bars;
}

// Which labels the accuracies of budgets are taken over.
function budgetLabels(judge: Judge): string {
  const e = judge.estimates;
  if (e.curve_labelled === e.pairs) return 'all pairs';
  const n = integer(e.curve_labelled);
  return e.selection === 'random'
    ? `the ${n} labelled pairs, which were drawn at random`
    : `the ${n} labelled pairs; how they were chosen is not known`;
}

function unknownBudget(judge: Judge): string {
  return judge.estimates.labelled === 0
    ? 'Accuracy: unknown without labels.'
    : 'Accuracy: unknown, since the labelled pairs were not drawn at random.';
}

function cost(usd: Maybe | undefined): string {
  return usd == null ? 'unknown' : `$${usd.toFixed(2)}`;
}

function budgetWords(judge: Judge, percentOf: number): string {
  const row = judge.budget[percentOf];
  if (!row) return '';
  const none = Math.min(row.n, judge.summary.rulings.none);
  const price = row.cost_usd == null ? '' : `, ${cost(row.cost_usd)} with the judge`;
  const start = `${percentOf} % of pairs: ${integer(row.n)} to label${price}`;
  const unruled = none ? `, ${integer(none)} of them without ruling` : '';
  if (row.accuracy == null) return `${start}${unruled}. ${unknownBudget(judge)}`;
  return (
    `${start}${unruled}. Right then: ${percent(row.accuracy, 1000)} of labelled pairs, against ` +
    `${percent(row.random, 1000)} on average where as many are drawn at random.`
  );
}

function budgetTable(judge: Judge): TableData {
  const steps = [0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
  const known = (v: number | null | undefined) => (v == null ? 'unknown' : percent(v, 1000));
  const priced = judge.budget[0]?.cost_usd != null;
  return {
    head: [
      'Budget', 'Pairs to label', 'Right, most uncertain first', 'by chances that follow doubt',
      'at random', 'Judge on the rest', ...(priced ? ['Cost'] : []),
    ],
    rows: steps.map((p) => {
      const row = judge.budget[p];
      return [
        `${p} %`, row?.n ?? 0, known(row?.accuracy), known(row?.active), known(row?.random),
        known(row?.rest), ...(priced ? [cost(row?.cost_usd)] : []),
      ];
    }),
  };
}

function curveCaption(judge: Judge): string {
  const [none, fifth] = [judge.budget[0], judge.budget[20]];
  if (fifth?.accuracy == null || none?.accuracy == null || fifth.random == null) return '';
  const gain = fifth.accuracy - fifth.random;
  const worth =
    gain > 0.005
      ? `${number(100 * gain, 1)} points more than as many drawn at random`
      : gain < -0.005
        ? `${number(-100 * gain, 1)} points less than as many drawn at random`
        : 'about what as many drawn at random would bring';
  return (
    `With people on the most uncertain fifth of pairs ${percent(fifth.accuracy, 1000)} are right, ` +
    `${percent(none.accuracy, 1000)} without them: ${worth}. Over ${budgetLabels(judge)}.`
  );
}

function BudgetCurve({ judge, at }: { judge: Judge; at: number }) {
  const caption = curveCaption(judge);
  if (!caption) return null;
  return (
    <Figure caption={caption}>
      <p class="legend">
        <span class="key k21">most uncertain first</span>{' '}
        <span class="key kboth">by chances that follow doubt</span>{' '}
        <span class="key k12">at random</span>
      </p>
      <BudgetLines
        points={judge.budget.map((row, i) => ({ ...row, percent: i }))} at={at}
        description={caption}
      />
    </Figure>
  );
}

export function Unsure({ index, judge }: Props) {
  const [budget, setBudget] = useState(20);
  const row = judge.budget[budget];
  const bars = markBars(judge, row?.n ?? 0);
  const words = budgetWords(judge, budget);
  return (
    <Section id="unsure" title="How unsure is it, and what would people buy?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={bpdeCaption(judge)}
        tableName="Label budgets"
        table={budgetTable(judge)}
      >
        <BpdeBars bars={bars} description={bpdeCaption(judge)} />
        <div class="slider">
          <label for="budget">Let people decide the most uncertain</label>
          <input
            id="budget" type="range" min="0" max="100" step="1" value={budget}
            aria-valuetext={words}
            onInput={(e) => setBudget(Number(e.currentTarget.value))}
          />
          <output for="budget">{budget} %</output>
        </div>
        <p aria-live="polite" class="slider-words">
          <span class="swatch" aria-hidden="true" /> {words}
        </p>
        <p class="note">
          Orange marks the part that people would decide: pairs without ruling first, then by BPDE
          from above. People count as right; the numbers are taken over labelled pairs only, and an
          interval for the rest is not to be had this way.
        </p>
      </Figure>
      <BudgetCurve judge={judge} at={budget} />
    </Section>
  );
}

// ---- people ----

function peopleAmong(index: Index): string {
  const a = index.annotators;
  if (a.pairs < 20)
    return (
      'How far people agree among themselves is not known: that needs at least 20 pairs with two ' +
      `or more labels, and there are ${integer(a.pairs)}.`
    );
  if (a.kappa == null) return `People among themselves: undefined (${reasonText(a.why)}).`;
  const name = a.coefficient === 'Fleiss' ? "Fleiss' kappa" : "Krippendorff's alpha";
  return (
    `People among themselves: ${name} ${kappa(a.kappa)} over ${integer(a.pairs)} pairs with two or ` +
    'more labels. A judge is hardly expected to agree with them better than they do.'
  );
}

export function People({ index, judge }: Props) {
  const labels = judge.summary.labels;
  const { people } = judge;
  if (!labels)
    return (
      <Section id="people" title="Do people agree with it?">
        <Blank>
          No pair has a human label: how right the judge is cannot be said. Bring labels in with
          evenhand labels RUN.db import FILE.
        </Blank>
      </Section>
    );
  const unruled = people.unruled.reduce((a, b) => a + b, 0);
  return (
    <Section id="people" title="Do people agree with it?">
      <Whose index={index} judge={judge} />
      <p>{peopleAmong(index)}</p>
      <Figure
        caption={accuracyCaption(judge)}
        tableName="Agreement with labels"
        table={{
          head: ['Number', 'Value'],
          rows: [
            ['Accuracy over labelled pairs, unruled ones wrong', rateLong(people.accuracy)],
            ['Accuracy over ruled pairs', percent(labels.accuracy_ruled, labels.n_ruled)],
            [`Always answering "${labels.baseline_label}"`, percent(labels.baseline, labels.n_labelled)],
            ['Kappa over ruled pairs', kappa(people.kappa)],
            ['Labels without a clear majority, counted as ties', labels.n_flagged],
            ['Accuracy without those', percent(labels.without_flagged?.accuracy ?? labels.accuracy)],
          ],
        }}
      >
        <Dots
          description={accuracyCaption(judge)}
          rows={[{
            label: 'accuracy', ...people.accuracy, text: text(people.accuracy), tick: labels.baseline,
          }]}
          domain={[0, 1]} percent
          axis={`right in %; line: 95 % interval; upright tick: always "${labels.baseline_label}"`}
        />
      </Figure>
      <Figure caption={kappaCaption(judge)}>
        {people.kappa != null && (
          <Dots
            description={kappaCaption(judge)}
            rows={[{
              label: 'kappa', value: people.kappa, low: people.kappa_low, high: people.kappa_high,
              text: kappa(people.kappa),
            }]}
            domain={[Math.min(-0.2, people.kappa_low ?? 0), 1]} percent={false} rule={0}
            ruleText="0, chance" axis="kappa; line: 95 % interval"
          />
        )}
        <CountGrid
          counts={people.confusion} rows={['1', '2', 'tie']} columns={['1', '2', 'tie']}
          rowTitle="Judge" columnTitle="People" marked={(r, c) => r === c}
        />
        {unruled > 0 && (
          <p class="note">{integer(unruled)} more labelled pairs have no ruling.</p>
        )}
      </Figure>
    </Section>
  );
}

const ESTIMATES = [
  ['judge', 'judge alone, as if it were right', "the judge's errors are not in its interval"],
  ['people', 'people alone', 'for pairs like the labelled ones'],
  ['hitlc', 'labels where there are any, else judge', 'no valid interval for the rest'],
  ['active', 'judge corrected by labels (active)', 'where pairs were drawn by known chances'],
  ['random', 'judge corrected by labels (random)', 'where pairs were drawn at random'],
  ['stratified', "labels by strata of the judge's doubt", 'where pairs were drawn at random within them'],
] as const;

function estimateCaption(judge: Judge): string {
  const e = judge.estimates;
  const row = ESTIMATES.find(([key]) => key === e.quote);
  if (e.labelled === 0) return "Without labels there is only the judge's own estimate.";
  if (!row)
    return 'No estimate of what people would say has a valid interval with these labels.';
  const few = e.few_labels ? '; with so few labels its interval may be too narrow' : '';
  return `Quote "${row[1]}": ${rateLong({ ...e[row[0]], n: e.labelled }, 'labels')}${few}.`;
}

export function Estimates({ index, judge }: Props) {
  const e = judge.estimates;
  const caption = estimateCaption(judge);
  const rows = ESTIMATES.filter(([key]) => e.labelled > 0 || key === 'judge');
  const words = (x: Estimate) => {
    if (x.value == null) return `undefined: ${reasonText(x.why)}`;
    if (x.low == null) return `${percent(x.value, e.pairs)}, no valid interval`;
    return rateShort({ ...x, n: e.pairs });
  };
  return (
    <Section id="estimate" title="Which estimate to quote?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={caption}
        tableName="Estimates"
        table={{
          head: ['Estimate', 'Win rate of answer 1', 'Labels', 'Holds'],
          rows: rows.map(([key, name, holds]) => [name, words(e[key]), e[key].labels, holds]),
        }}
      >
        <Dots
          description={caption}
          rows={rows.map(([key, name]) => ({
            label: name, value: e[key].value, low: e[key].low, high: e[key].high,
            shape: e[key].low == null ? 'ring' as const : 'disc' as const, text: words(e[key]),
          }))}
          domain={[0, 1]} percent rule={0.5} ruleText="50 %"
          axis="win rate of answer 1 in %, over all pairs; line: 95 % interval"
        />
      </Figure>
    </Section>
  );
}

// ---- length ----

export function Length({ index, judge }: Props) {
  const { length } = judge;
  if (length.why)
    return (
      <Section id="length" title="Does length decide?">
        <Blank>{lengthCaption(judge)}</Blank>
      </Section>
    );
  const raw = judge.summary.win_rate;
  const oneSided = (length.one_sided ?? 0) > 0.85;
  return (
    <Section id="length" title="Does length decide?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={lengthCaption(judge)}
        tableName="Win rate by length"
        table={groupTable(length.bins, 'Length of 1 over 2', (g) => LENGTHS[length.bins.indexOf(g)] ?? '')}
      >
        <Bins
          description={lengthCaption(judge)}
          bins={length.bins.map((b, i) => ({ label: LENGTHS[i] ?? '', ...b.win, n: b.n }))}
          xAxis="length of answer 1 over that of answer 2, in characters" yAxis="win rate of answer 1 in %" rule={0.5}
        />
      </Figure>
      <Figure
        caption={
          length.controlled.value == null
            ? `Length-controlled win rate: undefined (${reasonText(length.controlled.why)}).`
            : 'The win rate as it is, and as a model of the verdicts gives it for answers of equal length.'
        }
        tableName="Win rate controlled for length"
        table={{
          head: ['Win rate of answer 1', 'Value'],
          rows: [
            ['as it is', rateLong(raw)],
            ['at equal length', rateLong({ ...length.controlled, n: raw.n })],
            ['pairs whose longer answer is on the more frequent side', percent(length.one_sided)],
          ],
        }}
      >
        <Dots
          description="Win rate as it is and controlled for length"
          rows={[
            { label: 'as it is', ...raw, text: text(raw) },
            {
              label: 'at equal length', ...length.controlled,
              text: length.controlled.value == null
                ? `undefined: ${reasonText(length.controlled.why)}`
                : rateShort({ ...length.controlled, n: raw.n }),
            },
          ]}
          domain={[0, 1]} percent rule={0.5} ruleText="50 %"
          axis="win rate of answer 1 in %; line: 95 % interval"
        />
        {oneSided && (
          <p class="note">
            In {percent(length.one_sided)} of pairs the longer answer is on the same side: what
            would hold at equal length is then guessed from few pairs.
          </p>
        )}
      </Figure>
    </Section>
  );
}

// ---- categories ----

export function Categories({ index, judge }: Props) {
  const groups = judge.categories;
  if (groups.length === 0)
    return (
      <Section id="categories" title="Where is it different?">
        <Blank>The data name no categories.</Blank>
      </Section>
    );
  const few = groups.filter((g) => g.n < 30).length;
  const caption =
    `${groups.length === 1 ? 'One category' : `${groups.length} categories`}` +
    (few ? `, ${few} of them with fewer than 30 pairs: read those with their intervals.` : '.');
  const row = (rate: (g: Group) => Rate) => (g: Group) => ({
    label: `${g.name ?? ''} (${g.n})`, ...rate(g), text: text(rate(g)),
  });
  return (
    <Section id="categories" title="Where is it different?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={`${caption} Win rate of ${subjectOf(judge)} by category, with the number of pairs.`}
        tableName="Categories"
        table={groupTable(groups, 'Category', (g) => g.name ?? '')}
      >
        <Dots
          description="Win rate by category" rows={groups.map(row((g) => g.win))}
          domain={[0, 1]} percent rule={0.5} ruleText="50 %" axis="win rate of answer 1 in %; line: 95 % interval"
        />
      </Figure>
      {judge.orders === 'both' && (
        <Figure caption="Pairs in conflict by category.">
          <Dots
            description="Conflict rate by category" rows={groups.map(row((g) => g.conflict))}
            domain={[0, 1]} percent axis="pairs in conflict in %; line: 95 % interval"
          />
        </Figure>
      )}
    </Section>
  );
}

// ---- other settings ----

const ORDERS: Record<string, string> = {
  '12': 'answer 1 first only', '21': 'answer 2 first only', both: 'both orders',
};

export function Settings({ index, judge }: Props) {
  const { settings } = judge;
  const ks = new Set(settings.map((s) => s.k));
  if (settings.length < 2)
    return (
      <Section id="settings" title="Would other settings have said otherwise?">
        <Whose index={index} judge={judge} />
        <Blank>
          {settings.length === 0
            ? 'The stages of this method are asked by need, so other settings cannot be read off it.'
            : 'One order and one reply a prompt: there is nothing to compare with.'}
        </Blank>
      </Section>
    );
  const series = (rate: (s: Judge['settings'][number]) => Rate): Series[] =>
    settings.map((s) => ({ orders: s.orders, k: s.k, ...rate(s) }));
  const name = (s: Judge['settings'][number]) =>
    `${ORDERS[s.orders]}${ks.size > 1 ? `, k = ${s.k}` : ''}`;
  const labelled = settings.some((s) => s.labelled > 0);
  const swing = settings.filter((s) => s.k === Math.max(...ks));
  const [one, two] = [swing.find((s) => s.orders === '12'), swing.find((s) => s.orders === '21')];
  const caption =
    one?.win.value != null && two?.win.value != null
      ? `With answer 1 first its win rate is ${percent(one.win.value, one.win.n)}, with answer 2 first ${percent(two.win.value, two.win.n)}: ` +
        `the order alone moves it by ${number(100 * Math.abs(one.win.value - two.win.value), 0)} points.`
      : 'The same replies, ruled with fewer of them.';
  return (
    <Section id="settings" title="Would other settings have said otherwise?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={caption}
        tableName="Other settings"
        table={{
          head: ['Setting', 'Replies (k)', 'Pairs ruled', 'Win rate', 'Conflict', 'Ties (agreed)', 'Accuracy', 'Kappa'],
          rows: settings.map((s) => [
            ORDERS[s.orders] ?? '', s.k, `${s.ruled} of ${s.pairs}`, rateShort(s.win),
            s.orders === 'both' ? rateShort(s.conflict) : '', `${s.ties} (${s.ties_agreed})`,
            s.labelled ? rateShort(s.accuracy) : '', s.labelled ? kappa(s.kappa) : '',
          ]),
        }}
      >
        {ks.size > 1 ? (
          <div class="multiples">
            <p class="legend">
              <span class="key k12">answer 1 first</span> <span class="key kboth">both orders</span>{' '}
              <span class="key k21">answer 2 first</span>
            </p>
            <Samples rows={series((s) => s.win)} axis="win rate of answer 1 in %" description="Win rate by number of replies" />
            <Samples
              rows={series((s) => s.conflict).filter((s) => s.orders === 'both')}
              axis="pairs in conflict in %" description="Conflict rate by number of replies"
            />
            {labelled && (
              <Samples rows={series((s) => s.accuracy)} axis="accuracy in %" description="Accuracy by number of replies" />
            )}
          </div>
        ) : (
          <Dots
            description={caption}
            rows={settings.map((s) => ({ label: name(s), ...s.win, text: text(s.win) }))}
            domain={[0, 1]} percent rule={0.5} ruleText="50 %" axis="win rate of answer 1 in %; line: 95 % interval"
          />
        )}
      </Figure>
      {ks.size === 1 && labelled && (
        <Figure caption="How often each is right, over labelled pairs.">
          <Dots
            description="Accuracy by setting"
            rows={settings.map((s) => ({ label: name(s), ...s.accuracy, text: text(s.accuracy) }))}
            domain={[0, 1]} percent axis="right in %; line: 95 % interval"
          />
        </Figure>
      )}
    </Section>
  );
}

// ---- split and merge ----

interface PortiaJson {
  pairs: number;
  consistency_plain: number | null;
  consistency: number | null;
  accuracy_plain: number | null;
  accuracy: number | null;
  by_stage: Record<string, Record<string, number | null>>;
}

export function Portia({ index, judge }: Props) {
  const p = judge.summary.portia as unknown as PortiaJson | undefined;
  if (!p) return null;
  const n = p.pairs;
  const right =
    p.accuracy == null
      ? ''
      : ` Right before: ${percent(p.accuracy_plain, n)}, after: ${percent(p.accuracy, n)} of labelled pairs, no ruling counting as wrong.`;
  return (
    <Section id="portia" title="What did splitting the answers mend?">
      <Whose index={index} judge={judge} />
      <Figure
        caption={
          `The orders agree on ${percent(p.consistency_plain, n)} of ${integer(n)} pairs when asked ` +
          `plainly, and on ${percent(p.consistency, n)} in the end.${right}`
        }
        tableName="Stages"
        table={{
          head: ['Stage', 'Pairs asked', 'Orders agree', 'Mended', 'Broken', 'Ruled', 'Calls'],
          rows: Object.entries(p.by_stage).map(([stage, s]) => [
            stage, s['asked'] ?? 0, s['agree'] ?? 0, s['mended'] ?? 0, s['broken'] ?? 0,
            s['ruled'] ?? 0, s['calls'] ?? 0,
          ]),
        }}
      />
    </Section>
  );
}
