// SPDX-License-Identifier: MIT
//
// The list of pairs: quick views first, then filters, then a plain table in pages of a
// hundred. It is a real table without virtual scrolling, so that find-in-page, print and
// screen readers see all of a page.
import { useState } from 'preact/hooks';
import { integer, number, plural, score, usd } from '../shared/format.ts';
import { VerdictMark } from '../shared/table.tsx';
import { type Index, type Judge, loadAnswers, loadTexts } from './data.ts';
import { Section } from './figure.tsx';
import { countShow, type Filter, isConflict, NO_FILTER, reasonNames, type Row } from './rows.ts';
import { allRows, found, judgeAt, pairHref, pairName, route, setFilter, shownRows } from './state.ts';

const PAGE = 100;

const CONFLICT_WORDS: Record<string, string> = {
  none: 'no', first: 'first both', second: 'second both', tie: 'with a tie', unknown: '',
};

interface Column {
  key: string;
  head: string;
  title: string;
  cell: (row: Row, index: Index) => preact.ComponentChildren;
  class?: string;
}

function labelCell(row: Row): preact.ComponentChildren {
  if (row.label === 0) return '';
  const all = row.votes.reduce((a, b) => a + b, 0);
  const own = row.votes[row.label - 1] ?? 0;
  const count = all > 1 ? ` (${row.split ? 'split' : `${own} of ${all}`})` : '';
  const wrong = row.label !== row.ruling;
  return (
    <>
      <VerdictMark verdict={row.label} />
      {count && <small>{count}</small>}
      {wrong && <strong class="against"> against</strong>}
    </>
  );
}

// Columns that this judge's pairs have anything in.
function columnsOf(index: Index, judge: Judge): Column[] {
  const cells = judge.cells;
  const both = judge.orders === 'both';
  const columns: (Column | false)[] = [
    {
      key: 'id', head: 'Pair', title: 'id of the pair', class: 'wide-id',
      cell: (r) => (
        <a href={pairHref(r.pair)} id={`row-${r.pair}`} title={pairName(r.pair)}>
          {pairName(r.pair)}
        </a>
      ),
    },
    index.texts && {
      key: 'question', head: 'Question', title: 'beginning of the question', class: 'question',
      cell: (r, i) => <span dir="auto">{i.pairs.head[r.pair] ?? ''}</span>,
    },
    index.pairs.category.names.length > 0 && {
      key: 'category', head: 'Category', title: 'category', class: 'spare', cell: (r) => r.category,
    },
    judge.orders !== '21' && {
      key: 'v12', head: '12', title: 'verdict when answer 1 is shown first', class: 'spare',
      cell: (r) => <VerdictMark verdict={r.v12} />,
    },
    judge.orders !== '12' && {
      key: 'v21', head: '21', title: 'verdict when answer 2 is shown first', class: 'spare',
      cell: (r) => <VerdictMark verdict={r.v21} />,
    },
    both && {
      key: 'conflict', head: 'Conflict', title: 'do the orders disagree, and for which slot',
      cell: (r) => CONFLICT_WORDS[r.conflict] ?? '',
    },
    {
      key: 'ruling', head: 'Ruling', title: 'verdict over all replies',
      cell: (r) => (
        <>
          <VerdictMark verdict={r.ruling} conflict={isConflict(r)} />
          {r.tieFromConflict && <small> by conflict</small>}
          {r.byPeople && <small> by people</small>}
        </>
      ),
    },
    cells.score_1 != null && {
      key: 'score1', head: 'CS 1', title: 'calibrated score of answer 1', class: 'num spare',
      cell: (r) => score(r.score1),
    },
    cells.score_2 != null && {
      key: 'score2', head: 'CS 2', title: 'calibrated score of answer 2', class: 'num spare',
      cell: (r) => score(r.score2),
    },
    cells.gap != null && {
      key: 'gap', head: 'Gap', title: 'mean over the orders of |score 1 less score 2|',
      class: 'num spare', cell: (r) => score(r.gap),
    },
    cells.bpde != null && {
      key: 'bpde', head: 'BPDE', title: 'how much the replies disagree, 0 to 1.10', class: 'num',
      cell: (r) => number(r.bpde),
    },
    {
      key: 'samples', head: 'Replies', title: 'replies with a verdict, of those asked',
      class: 'num spare', cell: (r) => `${r.valid} of ${r.asked}`,
    },
    Object.keys(judge.summary.failed).length > 0 && {
      key: '', head: 'Reasons', title: 'why replies have no verdict', class: 'spare',
      cell: (r, i) => reasonNames(i, r.reasons).map((n) => n.replaceAll('_', ' ')).join(', '),
    },
    index.annotators.labelled > 0 && {
      key: 'label', head: 'Label', title: "people's majority", class: 'label', cell: labelCell,
    },
    {
      key: 'ratio', head: 'Length', title: 'length of answer 1 over that of answer 2',
      class: 'num spare', cell: (r) => (r.ratio == null ? '' : `${number(r.ratio)}\u00d7`),
    },
    cells.cost_usd != null && {
      key: 'cost', head: 'Cost', title: 'cost of its calls', class: 'num spare',
      cell: (r) => usd(r.cost),
    },
  ];
  return columns.filter((c): c is Column => c !== false);
}

function Heading({ column }: { column: Column }) {
  const { sort, down } = route.value.filter;
  if (!column.key)
    return <th scope="col" class={column.class} title={column.title}>{column.head}</th>;
  const active = sort === column.key;
  return (
    <th
      scope="col" class={column.class}
      aria-sort={active ? (down ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button" class="sort" title={`${column.title}; sort by it`}
        onClick={() => setFilter({ sort: column.key, down: active ? !down : true })}
      >
        {column.head}
        <span aria-hidden="true">{active ? (down ? ' \u2193' : ' \u2191') : ''}</span>
      </button>
    </th>
  );
}

// ---- filters ----

const QUICK: [Filter['show'], string][] = [
  ['', 'All'],
  ['conflict', 'Conflicts'],
  ['none', 'Without ruling'],
  ['tie', 'Ties by conflict'],
  ['label', 'Against the labels'],
  ['judges', 'Judges disagree'],
];

function Quick({ index }: { index: Index }) {
  const { show } = route.value.filter;
  return (
    <div class="quick" role="group" aria-label="Quick views">
      {QUICK.map(([key, name]) => {
        if (key === 'label' && index.annotators.labelled === 0) return null;
        if (key === 'judges' && index.judges.length < 2) return null;
        return (
          <button type="button" aria-pressed={show === key} onClick={() => setFilter({ show: key })}>
            {name} <span class="count">{integer(countShow(allRows.value, key))}</span>
          </button>
        );
      })}
    </div>
  );
}

function Select(props: {
  name: keyof Filter; label: string; options: [string, string][];
}) {
  const value = String(route.value.filter[props.name]);
  return (
    <label>
      {props.label}
      <select
        value={value}
        onChange={(e) => setFilter({ [props.name]: e.currentTarget.value } as Partial<Filter>)}
      >
        <option value="">any</option>
        {props.options.map(([key, name]) => (
          <option value={key} selected={key === value}>{name}</option>
        ))}
      </select>
    </label>
  );
}

function NumberField(props: { name: 'bpde' | 'gap'; label: string }) {
  return (
    <label>
      {props.label}
      <input
        type="text" inputMode="decimal" size={6} value={route.value.filter[props.name]}
        onInput={(e) => setFilter({ [props.name]: e.currentTarget.value })}
      />
    </label>
  );
}

function Filters({ index, judge }: { index: Index; judge: Judge }) {
  const reasons = Object.keys(judge.summary.failed);
  return (
    <details class="filters">
      <summary>More filters</summary>
      <div class="fields">
        <Select name="ruling" label="Ruling" options={[['1', '1'], ['2', '2'], ['3', 'tie'], ['0', 'none']]} />
        {judge.orders === 'both' && (
          <Select
            name="conflict" label="Conflict"
            options={[
              ['none', 'none'], ['first', 'first slot both times'], ['second', 'second slot both times'],
              ['tie', 'with a tie'], ['unknown', 'one order has no verdict'],
            ]}
          />
        )}
        {index.annotators.labelled > 0 && (
          <Select
            name="label" label="Label"
            options={[
              ['agree', 'as the judge'], ['disagree', 'against the judge'],
              ['split', 'no clear majority'], ['missing', 'none'],
            ]}
          />
        )}
        {reasons.length > 0 && (
          <Select name="reason" label="Reason" options={reasons.map((r) => [r, r.replaceAll('_', ' ')])} />
        )}
        {index.pairs.category.names.length > 0 && (
          <Select
            name="category" label="Category"
            options={[...index.pairs.category.names].sort().map((c) => [c, c])}
          />
        )}
        {index.pairs.leak.includes('1') && (
          <Select
            name="leak" label="Identity leak"
            options={[['yes', 'texts say who wrote them'], ['no', 'none found']]}
          />
        )}
        <NumberField name="bpde" label="BPDE at least" />
        {judge.cells.gap && <NumberField name="gap" label="Gap at most" />}
        <button type="button" onClick={() => setFilter({ ...NO_FILTER })}>Clear all</button>
      </div>
    </details>
  );
}

// ---- searching in texts ----

async function pairHolds(index: Index, pair: number, judge: number, words: string): Promise<boolean> {
  const texts = await loadTexts(index, pair);
  const holds = (text: string | undefined) => text?.toLowerCase().includes(words) ?? false;
  if (texts && [texts.question, texts.answer_1, texts.answer_2, texts.reference].some(holds)) return true;
  const answers = await loadAnswers(index, pair, judge);
  return answers?.some((a) => holds(a.reply)) ?? false;
}

function Search({ index }: { index: Index }) {
  const [progress, setProgress] = useState<number | null>(null);
  const [stop] = useState({ wanted: false });
  const { text } = route.value.filter;
  const run = async () => {
    const words = text.trim().toLowerCase();
    const hits = new Set<number>();
    // by place, so that each chunk is unpacked once
    const order = allRows.value
      .map((r) => r.pair)
      .sort((a, b) => (index.pairs.place[a] ?? 0) - (index.pairs.place[b] ?? 0));
    stop.wanted = false;
    for (const [at, pair] of order.entries()) {
      if (stop.wanted) break;
      if (at % 50 === 0) setProgress(at / order.length);
      if (await pairHolds(index, pair, judgeAt.value, words)) hits.add(pair);
    }
    found.value = { text, pairs: hits };
    setProgress(null);
  };
  return (
    <div class="search">
      <label>
        Find in id and question
        <input
          type="search" value={text} onInput={(e) => setFilter({ text: e.currentTarget.value })}
        />
      </label>
      {index.texts && (
        <button type="button" disabled={text.trim() === '' || progress != null} onClick={() => void run()}>
          Search in texts and replies
        </button>
      )}
      {progress != null && (
        <>
          <progress value={progress} max={1} aria-label="Searching" />
          <button type="button" onClick={() => { stop.wanted = true; }}>Stop</button>
        </>
      )}
    </div>
  );
}

// ---- the table ----

function Pager(props: { page: number; n: number; go: (page: number) => void }) {
  const last = Math.max(0, Math.ceil(props.n / PAGE) - 1);
  if (last === 0) return null;
  const from = props.page * PAGE;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" disabled={props.page === 0} onClick={() => props.go(props.page - 1)}>
        Previous
      </button>
      <span>
        {integer(from + 1)} to {integer(Math.min(from + PAGE, props.n))} of {integer(props.n)}
      </span>
      <button type="button" disabled={props.page === last} onClick={() => props.go(props.page + 1)}>
        Next
      </button>
    </nav>
  );
}

export const listPage = { value: 0 };

export function Pairs({ index, judge }: { index: Index; judge: Judge }) {
  const rows = shownRows.value;
  const [wanted, setPage] = useState(listPage.value);
  const page = Math.min(wanted, Math.max(0, Math.ceil(rows.length / PAGE) - 1));
  listPage.value = page;
  const columns = columnsOf(index, judge);
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  return (
    <Section id="pairs" title="The pairs">
      {index.judges.length > 1 && <p class="whose">Judge: {judge.name}</p>}
      <Quick index={index} />
      <Search index={index} />
      <Filters index={index} judge={judge} />
      <p role="status" class="counts">
        {integer(rows.length)} of {integer(allRows.value.length)} pairs. <Rates rows={rows} />
      </p>
      <Pager page={page} n={rows.length} go={setPage} />
      <div class="scroll" tabIndex={0} role="region" aria-label="List of pairs">
        <table class="pairs" aria-rowcount={rows.length + 1}>
          <caption class="visually-hidden">Pairs; the id opens one</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((c) => <Heading column={c} key={c.head} />)}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={row.pair} aria-rowindex={page * PAGE + i + 2} class={i >= 50 ? 'no-print' : undefined}>
                {columns.map((c, at) =>
                  at === 0 ? (
                    <th scope="row" class={c.class}>{c.cell(row, index)}</th>
                  ) : (
                    <td class={c.class}>{c.cell(row, index)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="blank">No pair passes these filters.</p>}
      <p class="print-only">{Math.min(50, shown.length)} of {integer(rows.length)} pairs are printed.</p>
      <Pager page={page} n={rows.length} go={setPage} />
    </Section>
  );
}

// Counts of what the filter shows; intervals are given for the groups above.
function Rates({ rows }: { rows: Row[] }) {
  const count = (v: number) => rows.filter((r) => r.ruling === v).length;
  const labelled = rows.filter((r) => !r.byPeople && r.label !== 0);
  const right = labelled.filter((r) => r.label === r.ruling).length;
  return (
    <>
      Rulings: {integer(count(1))} for 1, {integer(count(2))} for 2, {plural(count(3), 'tie')},{' '}
      {integer(count(0))} none
      {labelled.length > 0 && `; right on ${integer(right)} of ${integer(labelled.length)} labelled`}.
      These are counts of the filter; intervals are given for the groups above.
    </>
  );
}

