// SPDX-License-Identifier: MIT
//
// Parts of a card that the command wrote: sentences, lines with a dot on an axis, tables.
// The page knows nothing of what they say.
import { Table } from '../shared/table.tsx';
import type { CardTable, Judge, LineGroup, Part, PartLine } from './data.ts';
import { Axis, DotLine, StateMark } from './dots.tsx';
import { Section } from './section.tsx';

export function OneTable({ table }: { table: CardTable }) {
  return (
    <>
      {table.note && <p class="note">{table.note}</p>}
      <Table caption={table.title} head={table.head} rows={table.rows} />
    </>
  );
}

function Line({ line, group }: { line: PartLine; group: LineGroup }) {
  const said = [line.state_text, line.words, line.more].filter(Boolean).join('; ');
  return (
    <li class={line.state ?? ''}>
      <span class="line-name">
        {line.name}
        {line.state && <StateMark state={line.state} word={line.state_text ?? ''} />}
      </span>
      <span class="measure">
        {line.rate.value != null && (
          <DotLine
            rate={line.rate} tick={line.tick} coin={line.coin} rule={group.rule ?? undefined}
            state={line.state ?? undefined} description={`${group.title}, ${line.name}: ${said}`}
          />
        )}
      </span>
      <span>
        <span class="line-words">{line.words}</span>
        <small>{line.more}</small>
      </span>
    </li>
  );
}

function Lines({ group }: { group: LineGroup }) {
  return (
    <>
      <h3>{group.title}</h3>
      <ul class="lines">
        <li class="line-head">
          <span />
          <Axis />
          <span class="small">{group.axis}</span>
        </li>
        {group.lines.map((line) => (
          <Line line={line} group={group} key={line.name} />
        ))}
      </ul>
      {group.note && <p class="note">{group.note}</p>}
    </>
  );
}

function OnePart({ part }: { part: Part }) {
  return (
    <Section id={part.id} title={part.title}>
      {part.text.map((t) => (
        <p class="part-text">{t}</p>
      ))}
      {part.groups.map((g) => (
        <Lines group={g} key={g.title} />
      ))}
      {part.tables.map((t) => (
        <>
          <h3>{t.title}</h3>
          <OneTable table={t} />
        </>
      ))}
    </Section>
  );
}

export function Parts({ judge }: { judge: Judge }) {
  return (
    <>
      {judge.parts.map((part) => (
        <OnePart part={part} key={part.id} />
      ))}
    </>
  );
}

export function Tables({ judge }: { judge: Judge }) {
  return (
    <>
      {judge.tables.map((t, i) => (
        <Section id={`table-${i}`} title={t.title} key={t.title}>
          <OneTable table={t} />
        </Section>
      ))}
    </>
  );
}
