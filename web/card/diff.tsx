// SPDX-License-Identifier: MIT
//
// What was changed in an answer, word by word: by the record of its edits where there is
// one, else by comparing both texts. What is new is underlined, what is gone is
// struck through, and both are elements that screen readers can name; colour only helps.
// Texts are put in as text, never as HTML.
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'preact/hooks';
import { plural } from '../shared/format.ts';
import type { Edit } from './data.ts';

const PATIENCE_MS = 1500; // of long texts that have little in common

interface Part {
  value: string;
  added?: boolean;
  removed?: boolean;
}

const compared = (before: string, after: string): Part[] | undefined =>
  diffWordsWithSpace(before, after, { timeout: PATIENCE_MS });

// An edit may say no more than that all of a text gave way to another, so what goes and
// what comes in one place is compared by words.
function recorded(before: string, after: string, edits: Edit[]): Part[] {
  const parts: Part[] = [];
  let from = 0;
  let to = 0;
  for (const [at, removed, inserted] of edits) {
    const kept = before.slice(from, at);
    to += kept.length;
    const gone = before.slice(at, at + removed);
    const come = after.slice(to, to + inserted);
    parts.push({ value: kept }, ...((gone && come && compared(gone, come)) || [
      { value: gone, removed: true },
      { value: come, added: true },
    ]));
    from = at + removed;
    to += inserted;
  }
  return [...parts, { value: before.slice(from) }].filter((p) => p.value);
}

export function WordDiff({ before, after, edits }: { before: string; after: string; edits?: Edit[] }) {
  const parts = useMemo(
    () => (edits ? recorded(before, after, edits) : compared(before, after)),
    [before, after, edits],
  );
  if (!parts)
    return (
      <>
        <p class="note">These texts differ too much to be compared word by word; this is the changed one.</p>
        <div class="text diff" dir="auto">{after}</div>
      </>
    );
  const words = (kind: 'added' | 'removed') =>
    parts.filter((p) => p[kind]).reduce((n, p) => n + (p.value.match(/\S+/g)?.length ?? 0), 0);
  const added = words('added');
  const removed = words('removed');
  return (
    <>
      <p class="note">
        {added > 0 && <><ins>{plural(added, 'word')} added</ins>{removed > 0 ? ', ' : '.'}</>}
        {removed > 0 && <><del>{plural(removed, 'word')} taken out</del>.</>}
        {added + removed === 0 && 'Only white space differs.'}
      </p>
      <div class="text diff" dir="auto">
        {parts.map((p, i) =>
          p.added ? <ins key={i}>{p.value}</ins> : p.removed ? <del key={i}>{p.value}</del> : <span key={i}>{p.value}</span>,
        )}
      </div>
    </>
  );
}
