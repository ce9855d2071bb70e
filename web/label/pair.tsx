// SPDX-License-Identifier: MIT
//
// One pair: the question, A and B. Both sides are drawn alike: same width, type, folding
// and rendering; nothing says how long a text is or who wrote it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Aligned, cutParts } from '../shared/aligned.tsx';
import { Text } from '../shared/text.tsx';
import type { Item } from './api.ts';
import { Button } from './button.tsx';
import { turnsOf } from '../shared/turns.ts';
import { noteScroll, restoreScroll } from './scroll.ts';
import * as session from './session.ts';
import { afterPaint } from './timing.ts';
import { decisionWords } from './words.ts';

function Conversation({ item }: { item: Item }) {
  const turns = turnsOf(item.turns);
  if (!turns.length) return null;
  return (
    <section aria-labelledby="turns-h" class="turns">
      <h2 id="turns-h">Earlier in the conversation</h2>
      {turns.map((t, i) => (
        <div class="turn" key={i}>
          <h3>{t.role === 'assistant' ? 'Assistant' : t.role === 'user' ? 'User' : 'Note'}</h3>
          <Text text={t.content} raw={session.view.value === 'raw'} />
        </div>
      ))}
    </section>
  );
}

// Folded to a few lines, where it has more.
function Question({ item }: { item: Item }) {
  const box = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  const { unfolded } = session.settings.value;
  const raw = session.view.value === 'raw';
  useLayoutEffect(() => {
    const measure = () => {
      const b = box.current;
      if (b && !unfolded) setLong(b.scrollHeight > b.clientHeight + 4);
    };
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, [unfolded, raw]);
  const set = (on: boolean) => session.setSettings({ unfolded: on });
  return (
    <section class="question" aria-labelledby="question-h">
      <h2 id="question-h">Question</h2>
      <div
        ref={box} class={`question-text ${unfolded ? '' : 'folded'} ${isLong && !unfolded ? 'cut' : ''}`}
        onFocusCapture={() => isLong && !unfolded && set(true)}
      >
        <Text text={item.question} raw={raw} />
      </div>
      {(isLong || unfolded) && (
        <button type="button" class="plain" aria-expanded={unfolded} onClick={() => set(!unfolded)}>
          {unfolded ? 'Show less' : 'Show all of the question'}
        </button>
      )}
    </section>
  );
}

function Answer(props: { side: 'a' | 'b'; text: string }) {
  const { side, text } = props;
  const name = side.toUpperCase();
  const other = side === 'a' ? 'b' : 'a';
  const apart = session.settings.value.apart;
  return (
    <section class="answer-side" aria-labelledby={`${side}-h`}>
      <div class="answer-head">
        <h2 id={`${side}-h`} tabIndex={-1}><span class="word">Answer </span>{name}</h2>
        <a class="jump" href={`#${other}-h`} onClick={(e) => jump(e, other)}>
          {side === 'a' ? 'To B' : 'To A'}
        </a>
      </div>
      <div
        class="answer-body" tabIndex={apart ? 0 : undefined} role={apart ? 'region' : undefined}
        aria-label={apart ? `Answer ${name}, scrolls by itself` : undefined}
        onScroll={() => noteScroll(side === 'a' ? 0 : 1)}
      >
        <div data-depth={side}>
          <Text text={text} raw={session.view.value === 'raw'} empty="(This answer is empty.)" />
        </div>
      </div>
    </section>
  );
}

function jump(e: Event, side: 'a' | 'b'): void {
  e.preventDefault();
  const head = document.getElementById(`${side}-h`);
  head?.closest('.answer-side')?.scrollIntoView({ block: 'start' });
  head?.focus({ preventScroll: true });
}

const begins = (lengths: number[]) => lengths.map((_, i) => lengths.slice(0, i).reduce((n, l) => n + l, 0));

function Answers({ item }: { item: Item }) {
  const view = session.view.value;
  const apart = session.settings.value.apart;
  useLayoutEffect(() => restoreScroll(), [apart]);
  if (view === 'aligned' && item.parts)
    return (
      <section class="aligned-view" aria-label="Answers A and B, part by part">
        <div class="sides heads" aria-hidden="true">
          <p class="side-name">Answer A</p>
          <p class="side-name">Answer B</p>
        </div>
        <div data-depth="both">
          <Aligned
            left={cutParts(item.a, begins(item.parts.a))} right={cutParts(item.b, begins(item.parts.b))}
            names={['A', 'B']}
          />
        </div>
      </section>
    );
  return (
    <div class={`sides ${apart ? 'apart' : ''}`}>
      <Answer side="a" text={item.a} />
      <Answer side="b" text={item.b} />
    </div>
  );
}

function Views({ item }: { item: Item }) {
  const view = session.view.value;
  return (
    <div class="views" role="group" aria-label="How texts are shown">
      <Button
        action="aligned" word="Aligned" pressed={view === 'aligned'} disabled={!item.parts}
        title={item.parts ? 'Aligned view: same texts, matching parts side by side' : 'There is no aligned view of this pair'}
      />
      <Button action="raw" word="Raw" pressed={view === 'raw'} title="The texts as they were written" />
      <Button
        action="apart" word="Scroll apart" class="beside" pressed={session.settings.value.apart}
        disabled={view === 'aligned'} title="Scroll A and B apart, or together"
      />
    </div>
  );
}

function heading(): string {
  const p = session.place.value;
  if (session.opened.value) return 'A pair you decided';
  if (session.items.value[0]?.again) return 'A pair you skipped';
  return p ? `Pair ${p.at} of ${p.all}` : 'A pair';
}

function OpenedLine() {
  const o = session.opened.value;
  if (!o) return null;
  return (
    <p class="opened">
      {o.why === 'elsewhere' ? 'Already labelled in another tab: ' : 'Your decision: '}
      <strong>{decisionWords(o.decision)}</strong>. Choose again to change it, or{' '}
      <Button action="keep" word="keep it" />
    </p>
  );
}

export function PairView({ item }: { item: Item }) {
  const head = useRef<HTMLHeadingElement>(null);
  const key = `${item.id} ${session.opened.value?.decision.label_id ?? ''}`;
  useLayoutEffect(() => {
    scrollTo(0, 0);
    head.current?.focus({ preventScroll: true });
    return afterPaint();
  }, [key]);
  return (
    <main id="pair">
      <div class="pair-head">
        <h1 ref={head} tabIndex={-1}>{heading()}</h1>
        <Views item={item} />
      </div>
      <OpenedLine />
      <Conversation item={item} key={`turns-${item.id}`} />
      <Question item={item} key={`question-${item.id}`} />
      {item.a === item.b && <p class="same">A and B are identical.</p>}
      <Answers item={item} key={`answers-${item.id}`} />
    </main>
  );
}
