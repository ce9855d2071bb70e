// SPDX-License-Identifier: MIT
//
// What was changed in an answer, word by word. What is new is underlined, what is gone is
// struck through, and both are elements that screen readers can name; colour only helps.
// Texts are put in as text, never as HTML.
import { diffWordsWithSpace } from 'diff';
import { useMemo } from 'preact/hooks';
import { plural } from '../shared/format.ts';

const PATIENCE_MS = 1500; // of long texts that have little in common

export function WordDiff({ before, after }: { before: string; after: string }) {
  const parts = useMemo(
    () => diffWordsWithSpace(before, after, { timeout: PATIENCE_MS }),
    [before, after],
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
