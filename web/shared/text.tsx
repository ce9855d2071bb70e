// SPDX-License-Identifier: MIT
//
// One text, rendered or raw. A long one is shown in slices, with its size said: nothing is
// cut silently.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { renderMarkdown } from './markdown.ts';
import { integer } from './format.ts';

const LONG = 200_000; // characters; longer texts come in slices
const SLICE = 50_000;

// What the eye cannot see, and what reorders: tabs, control, zero-width and bidirectional
// characters, and spaces at the end of a line.
const HIDDEN =
  /\t|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]| +(?=\n|$)/g;

// Of these, what changes how a text reads without being seen.
const DECEIVING = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069]/;

function nameOf(hidden: string): string {
  if (hidden === '\t') return '\u2192\t';
  if (hidden.startsWith(' ')) return '\u00b7'.repeat(hidden.length);
  const code = hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `U+${code}`;
}

export function rawNodes(text: string): DocumentFragment {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const found of text.matchAll(HIDDEN)) {
    out.append(text.slice(at, found.index));
    const mark = document.createElement('span');
    mark.className = 'hidden-mark';
    mark.textContent = nameOf(found[0]);
    out.append(mark);
    at = found.index + found[0].length;
  }
  out.append(text.slice(at));
  return out;
}

// The end of a slice, not within a surrogate pair.
function sliceEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length;
  const code = text.charCodeAt(wanted - 1);
  return code >= 0xd800 && code < 0xdc00 ? wanted - 1 : wanted;
}

// Texts rendered ahead of being shown, the oldest first; each is taken once.
const prepared = new Map<string, DocumentFragment>();
const MOST_PREPARED = 40;

function firstSlice(text: string): string {
  return text.length > LONG ? text.slice(0, sliceEnd(text, SLICE)) : text;
}

export function prepareText(text: string): void {
  const first = firstSlice(text);
  if (first === '' || prepared.has(first)) return;
  try {
    prepared.set(first, renderMarkdown(first));
  } catch {
    return; // it will be shown raw
  }
  for (const oldest of prepared.keys()) {
    if (prepared.size <= MOST_PREPARED) break;
    prepared.delete(oldest);
  }
}

function fill(element: HTMLElement, text: string, raw: boolean): void {
  element.replaceChildren();
  if (!raw) {
    try {
      element.append(prepared.get(text) ?? renderMarkdown(text));
      prepared.delete(text);
      element.className = 'text';
      return;
    } catch {
      element.replaceChildren();
    }
  }
  element.className = 'text raw';
  element.append(rawNodes(text));
}

export function Text(props: { text: string; raw: boolean; empty?: string }) {
  const { text, raw } = props;
  const box = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(SLICE);
  const end = text.length > LONG ? sliceEnd(text, shown) : text.length;
  useLayoutEffect(() => {
    if (box.current) fill(box.current, text.slice(0, end), raw);
  }, [text, raw, end]);
  if (text.trim() === '' && !raw) return <p class="note">{props.empty ?? '(empty)'}</p>;
  return (
    <>
      <div ref={box} class="text" dir="auto" />
      {!raw && DECEIVING.test(text) && (
        <p class="note">
          This text holds characters that cannot be seen or that reorder it; the raw view names them.
        </p>
      )}
      {end < text.length && (
        <p class="note">
          {integer(end)} of {integer(text.length)} characters are shown.{' '}
          <button type="button" onClick={() => setShown(shown + SLICE)}>
            Show the next {integer(SLICE)}
          </button>
        </p>
      )}
    </>
  );
}
