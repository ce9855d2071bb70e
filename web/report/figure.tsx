// SPDX-License-Identifier: MIT
//
// What every section is made of: a heading that asks, a figure whose caption answers, and
// the same numbers as a table.
import type { ComponentChildren } from 'preact';
import { Table, type TableData } from '../shared/table.tsx';
import { sectionHref } from './state.ts';

export function Section(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-h`}>
      <h2 id={`${props.id}-h`}>
        <a href={sectionHref(props.id)}>{props.title}</a>
      </h2>
      {props.children}
    </section>
  );
}

export function Figure(props: {
  caption: ComponentChildren;
  children?: ComponentChildren;
  table?: TableData;
  tableName?: string;
}) {
  return (
    <figure>
      <figcaption>{props.caption}</figcaption>
      {props.children}
      {props.table && (
        <details>
          <summary>Numbers</summary>
          <Table {...props.table} caption={props.tableName ?? 'Numbers of the chart'} />
        </details>
      )}
    </figure>
  );
}
