// SPDX-License-Identifier: MIT
//
// A section below the first screen; its heading is its address.
import type { ComponentChildren } from 'preact';
import { sectionHref } from './state.ts';

export function Section(props: { id: string; title: string; children: ComponentChildren }) {
  return (
    <section id={props.id} class="below" aria-labelledby={`${props.id}-h`}>
      <h2 id={`${props.id}-h`}>
        <a href={sectionHref(props.id)}>{props.title}</a>
      </h2>
      {props.children}
    </section>
  );
}
