// SPDX-License-Identifier: MIT
//
// The list of pairs: one row a pair and probe, filtered by probe and outcome first. A
// plain table in pages of a hundred, so that find-in-page, print and screen readers see
// all of a page.
import { useState } from 'preact/hooks';
import { integer } from '../shared/format.ts';
import type { Card, Form, Judge } from './data.ts';
import { Section } from './section.tsx';
import { allRows, NO_FILTER, pairHref, type Row, route, selectRows, setFilter, shownRows } from './state.ts';
import { classWord, of100, OUTCOME_ORDER, outcomeWord } from './words.ts';

const PAGE = 100;

function OutcomeMark({ outcome }: { outcome: number }) {
  const shapes = [
    <path d="M4 4 L12 12 M12 4 L4 12" class="stroke" />,
    <path d="M3 8 H13" class="stroke" />,
    <rect x="3" y="3" width="10" height="10" />,
    <circle cx="8" cy="8" r="5" />,
  ];
  return (
    <svg class={`outcome o${outcome}`} width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {shapes[outcome]}
    </svg>
  );
}

export function Outcome({ outcome, form }: { outcome: number; form?: Form }) {
  return (
    <span class="outcome-word">
      <OutcomeMark outcome={outcome} /> {outcomeWord(outcome, form)}
    </span>
  );
}

function Quick({ form }: { form?: Form }) {
  const { filter } = route.value;
  const count = (outcome: string) => selectRows(allRows.value, { ...filter, outcome }).length;
  return (
    <div class="quick" role="group" aria-label="Outcome">
      {['', ...OUTCOME_ORDER].map((o) => (
        <button type="button" aria-pressed={filter.outcome === o} onClick={() => setFilter({ outcome: o })}>
          {o === '' ? 'All' : <Outcome outcome={Number(o)} form={form} />}{' '}
          <span class="count">{integer(count(o))}</span>
        </button>
      ))}
    </div>
  );
}

function Fields({ judge }: { judge: Judge }) {
  const { filter } = route.value;
  const categories = [...new Set(allRows.value.map((r) => r.category).filter(Boolean))].sort();
  return (
    <div class="fields filters">
      <label>
        Probe
        <select value={filter.probe} onChange={(e) => setFilter({ probe: e.currentTarget.value })}>
          <option value="" selected={filter.probe === ''}>all</option>
          {judge.probes.map((p) => (
            <option value={p.name} selected={p.name === filter.probe}>{p.short}</option>
          ))}
        </select>
      </label>
      {categories.length > 1 && (
        <label>
          Category
          <select value={filter.category} onChange={(e) => setFilter({ category: e.currentTarget.value })}>
            <option value="" selected={filter.category === ''}>all</option>
            {categories.map((c) => (
              <option value={c} selected={c === filter.category}>{c}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        Find in id and question
        <input type="search" value={filter.text} onInput={(e) => setFilter({ text: e.currentTarget.value })} />
      </label>
      <button type="button" onClick={() => setFilter({ ...NO_FILTER })}>Clear all</button>
    </div>
  );
}

function Pager(props: { page: number; n: number; go: (page: number) => void }) {
  const last = Math.max(0, Math.ceil(props.n / PAGE) - 1);
  const from = props.page * PAGE;
  if (last === 0) return null;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button type="button" disabled={props.page === 0} onClick={() => props.go(props.page - 1)}>Previous</button>
      <span>
        {integer(from + 1)} to {integer(Math.min(from + PAGE, props.n))} of {integer(props.n)}
      </span>
      <button type="button" disabled={props.page === last} onClick={() => props.go(props.page + 1)}>Next</button>
    </nav>
  );
}

function Preference({ digit, vote }: { digit: string | undefined; vote: number | null | undefined }) {
  if (vote == null) return <>none</>;
  return (
    <>
      {classWord(digit)} <small>{of100(vote)}</small>
    </>
  );
}

function Line({ row, judge, card, texts, place }: {
  row: Row; judge: Judge; card: Card; texts: boolean; place: number;
}) {
  const { items } = judge;
  const form = card.probes[row.probe]?.form;
  return (
    <tr aria-rowindex={place + 2} class={place % PAGE >= 50 ? 'no-print' : undefined}>
      <th scope="row" class="wide-id">
        <a href={pairHref(row)} id={`row-${row.at}`} title={row.id}>{row.id}</a>
      </th>
      <td>{row.short}</td>
      {texts && <td class="question spare" dir="auto">{row.head}</td>}
      <td class="spare">{row.category}</td>
      <td class="spare"><Preference digit={items.control[row.at]} vote={items.control_vote[row.at]} /></td>
      <td class="spare"><Preference digit={items.placebo[row.at]} vote={items.placebo_vote[row.at]} /></td>
      <td><Preference digit={items.experiment[row.at]} vote={items.experiment_vote[row.at]} /></td>
      <td>
        <Outcome outcome={row.outcome} form={form} />
        {items.placebo_hit[row.at] === '1' && <small> also when asked again</small>}
      </td>
    </tr>
  );
}

export function Pairs({ judge, card, texts }: { judge: Judge; card: Card; texts: boolean }) {
  const rows = shownRows.value;
  const [wanted, setPage] = useState(0);
  const page = Math.min(wanted, Math.max(0, Math.ceil(rows.length / PAGE) - 1));
  const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
  const form = card.probes[route.value.filter.probe]?.form;
  if (judge.items.n === 0)
    return (
      <Section id="pairs" title="The pairs">
        <p class="blank">{card.people ? 'The votes of people stand in the ledger and not here; evenhand labels exports them.' : 'No pair of a probe stands in this file.'}</p>
      </Section>
    );
  return (
    <Section id="pairs" title="The pairs">
      <Fields judge={judge} />
      <Quick form={form} />
      <p role="status" class="counts">
        {integer(rows.length)} of {integer(allRows.value.length)} pairs and probes. Preferences are of the answer that
        is changed: 100 if all votes are for it, 0 if none is.
      </p>
      <Pager page={page} n={rows.length} go={setPage} />
      <div class="scroll" tabIndex={0} role="region" aria-label="List of pairs">
        <table class="pairs" aria-rowcount={rows.length + 1}>
          <caption class="visually-hidden">Pairs and probes; the id opens one</caption>
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col">Pair</th>
              <th scope="col">Probe</th>
              {texts && <th scope="col" class="spare">Question</th>}
              <th scope="col" class="spare">Category</th>
              <th scope="col" class="spare">Preferred before</th>
              <th scope="col" class="spare">Asked again</th>
              <th scope="col">With the change</th>
              <th scope="col">Outcome</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <Line row={row} judge={judge} card={card} texts={texts} place={page * PAGE + i} key={row.at} />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length === 0 && <p class="blank">No pair passes these filters.</p>}
      <p class="print-only">{Math.min(50, shown.length)} of {integer(rows.length)} rows are printed.</p>
      <Pager page={page} n={rows.length} go={setPage} />
    </Section>
  );
}
