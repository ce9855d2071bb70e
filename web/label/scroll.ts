// SPDX-License-Identifier: MIT
//
// A and B lie in one page and scroll together; `apart` gives each an area of its own.
// Going there and back keeps what is being read at the same height.
import * as session from './session.ts';
import { setSettings, settings } from './session.ts';

const WIDE = 900; // px; below, A and B stand one above the other

const bodies = () => [...document.querySelectorAll<HTMLElement>('.answer-body')];
const headBottom = () => document.querySelector('.status')?.getBoundingClientRect().bottom ?? 0;

let last = 0; // which side was scrolled last
let wanted: { apart: boolean; offsets: number[] } | null = null;

export function noteScroll(side: number): void {
  last = side;
}

export function toggleApart(): void {
  if (innerWidth < WIDE || session.view.value === 'aligned') {
    session.said.value =
      innerWidth < WIDE
        ? 'A and B can scroll apart where they lie beside each other.'
        : 'The aligned view scrolls together.';
    return;
  }
  const apart = !settings.value.apart;
  const top = headBottom();
  const offsets = bodies().map((b) =>
    apart ? Math.max(0, top - b.getBoundingClientRect().top) : b.scrollTop,
  );
  wanted = { apart, offsets };
  setSettings({ apart });
  session.said.value = apart ? 'A and B scroll apart.' : 'A and B scroll together.';
}

// After the page was drawn the other way.
export function restoreScroll(): void {
  if (!wanted) return;
  const { apart, offsets } = wanted;
  wanted = null;
  const list = bodies();
  if (apart) {
    list.forEach((b, i) => { b.scrollTop = offsets[i] ?? 0; });
    if (offsets.some((o) => o > 0)) list[0]?.closest('.sides')?.scrollIntoView({ block: 'start' });
    return;
  }
  const body = list[last];
  const offset = offsets[last] ?? 0;
  if (body && offset > 0) scrollBy(0, body.getBoundingClientRect().top + offset - headBottom());
}

// The other side to the same fraction of its length.
export function sameFraction(): void {
  const list = bodies();
  const from = list[last];
  const to = list[1 - last];
  if (!settings.value.apart || !from || !to) {
    session.said.value = 'A and B scroll together.';
    return;
  }
  const most = from.scrollHeight - from.clientHeight;
  const share = most > 0 ? from.scrollTop / most : 0;
  to.scrollTop = share * (to.scrollHeight - to.clientHeight);
}
