// SPDX-License-Identifier: MIT
//
// What a pair's view is made of on any page: one reply of a judge, copying as JSON, and
// keys that do what the buttons do.
import { useEffect, useRef, useState } from 'preact/hooks';
import { integer, plural, score } from './format.ts';
import { isTyping } from './keys.ts';
import { type Maybe, VerdictMark, verdictOf } from './table.tsx';
import { Text } from './text.tsx';

// As src/page/answer.c writes it.
export interface Answer {
  order: '12' | '21';
  sample: number;
  stage?: number;
  verdict?: string;
  reason?: string;
  scores?: [number, number];
  rating?: number;
  tokens?: [Maybe, Maybe];
  call: string;
  model?: string;
  finish?: string;
  reply?: string;
  span?: [number, number]; // of the reply: where the verdict was read
  reasoning?: string;
  refusal?: string;
}

const STAGES = ['plain', 'parts of equal length', 'parts of like content'];

function saidWords(a: Answer): string {
  const slot = (answer: string) => ((answer === '1') === (a.order === '12') ? 'first' : 'second');
  if (!a.verdict) return `no verdict: ${(a.reason ?? 'unknown').replaceAll('_', ' ')}`;
  if (a.verdict === 'tie') return 'tie';
  return `answer ${a.verdict}, which was shown ${slot(a.verdict)}`;
}

// Can the text be drawn in three pieces? Not where the part begins or ends within a line,
// or within a fence of code.
function cutsCleanly(text: string, [begin, end]: [number, number]): boolean {
  const fences = text.slice(0, begin).match(/^ {0,3}(```|~~~)/gm)?.length ?? 0;
  const inside = text.slice(begin, end).match(/^ {0,3}(```|~~~)/gm)?.length ?? 0;
  return (
    fences % 2 === 0 && inside % 2 === 0 &&
    (begin === 0 || text[begin - 1] === '\n') && (end === text.length || text[end] === '\n')
  );
}

// A reply, with the part marked that the verdict was read from.
function Reply({ text, span, raw }: { text: string; span: [number, number] | undefined; raw: boolean }) {
  if (!span) return <div class="reply"><Text text={text} raw={raw} /></div>;
  const asRaw = raw || !cutsCleanly(text, span);
  const before = text.slice(0, span[0]);
  const after = text.slice(span[1]);
  return (
    <>
      <p class="note">Marked: the part that the verdict was read from.</p>
      <div class={asRaw ? 'reply in-line' : 'reply'}>
        {before.trim() && <Text text={before} raw={asRaw} />}
        <mark class="read-here"><Text text={text.slice(...span)} raw={asRaw} /></mark>
        {after.trim() && <Text text={after} raw={asRaw} />}
      </div>
    </>
  );
}

export function Said({ answer: a, raw }: { answer: Answer; raw: boolean }) {
  const text = a.reply ?? a.refusal ?? '';
  const lines = text ? text.split('\n').length : 0;
  return (
    <article class="said">
      <p>
        <VerdictMark verdict={verdictOf(a.verdict)} word={saidWords(a)} />
        {a.stage ? <small> {STAGES[a.stage]}</small> : null}
      </p>
      <p class="facts">
        reply {a.sample + 1}
        {a.scores && `; scores: answer 1 ${score(a.scores[0])}, answer 2 ${score(a.scores[1])}`}
        {a.rating != null && `; rating ${a.rating > 0 ? '+' : ''}${a.rating} for answer 1`}
        {a.tokens && `; tokens ${integer(a.tokens[0])} in, ${integer(a.tokens[1])} out`}
        {a.model && `; ${a.model}`}
        {a.finish && a.finish !== 'stop' && `; ended by ${a.finish}`}
        ; call <code>{a.call}</code>
      </p>
      {text && (
        <details>
          <summary>{a.reply == null ? 'Refusal' : 'Reply'} ({plural(lines, 'line')})</summary>
          <Reply text={text} span={a.reply == null ? undefined : a.span} raw={raw} />
        </details>
      )}
      {a.reasoning && (
        <details>
          <summary>Hidden reasoning ({plural(a.reasoning.split('\n').length, 'line')})</summary>
          <div class="reply"><Text text={a.reasoning} raw={raw} /></div>
        </details>
      )}
    </article>
  );
}

export function CopyJson(props: { value: unknown }) {
  const [state, setState] = useState('');
  const copy = async () => {
    const text = JSON.stringify(props.value, null, 2);
    try {
      await navigator.clipboard.writeText(text);
      setState('Copied.');
    } catch {
      setState(text); // no clipboard here: show it, to be copied by hand
    }
  };
  return (
    <div class="copy">
      <button type="button" onClick={() => void copy()}>Copy as JSON</button>
      {state === 'Copied.' ? <span role="status"> {state}</span> : null}
      {state && state !== 'Copied.' && (
        <textarea readOnly rows={10} aria-label="The pair as JSON" value={state} />
      )}
    </div>
  );
}

// j and k, v, r: the same as the buttons that name them. What a key does is looked up when
// it is pressed, so that two quick presses act one after the other.
export function useKeys(keys: Record<string, () => void>): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (e: KeyboardEvent) => {
      if (e.ctrlKey || e.altKey || e.metaKey || e.isComposing || isTyping(e)) return;
      const act = now.current[e.key];
      if (!act) return;
      e.preventDefault();
      act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
