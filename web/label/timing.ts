// SPDX-License-Identifier: MIT
//
// How long the pair was on screen, in a tab that is visible, and how far A and B were read:
// the share of each text that has been above the lower edge of what is visible.
import { signal } from '@preact/signals';

const GUARD_MS = 400; // a double press must not label the next pair

let paintedAt = Infinity;
let visibleSince = 0; // 0: hidden
let collected = 0;
const depth = { a: 0, b: 0 };

// Whether the pair on screen may be decided.
export const painted = signal(false);

const now = () => performance.now();

// Before another pair is drawn.
export function reset(visibleMs: number): void {
  paintedAt = Infinity;
  painted.value = false;
  collected = visibleMs;
  depth.a = depth.b = 0;
}

// After it was drawn. Frames do not come to a tab that is hidden.
export function afterPaint(): () => void {
  let done = false;
  const set = () => {
    if (done) return;
    done = true;
    paintedAt = now();
    visibleSince = document.visibilityState === 'visible' ? now() : 0;
    painted.value = true;
    measure();
  };
  requestAnimationFrame(() => requestAnimationFrame(set));
  const timer = setTimeout(set, 150);
  return () => {
    done = true;
    clearTimeout(timer);
  };
}

export function mayDecide(): boolean {
  return now() - paintedAt >= GUARD_MS;
}

export function visibleMs(): number {
  return Math.round(collected + (visibleSince && painted.value ? now() - visibleSince : 0));
}

function onVisibility(): void {
  if (document.visibilityState === 'hidden') {
    collected = visibleMs();
    visibleSince = 0;
  } else {
    visibleSince = now();
  }
}

// ---- depth ----

function lowerEdge(box: Element): number {
  const bar = document.querySelector('.verdict-bar');
  const page = bar ? bar.getBoundingClientRect().top : innerHeight;
  const area = box.closest('.apart .answer-body');
  return area ? Math.min(page, area.getBoundingClientRect().bottom) : page;
}

export function measure(): void {
  if (!painted.value || document.visibilityState === 'hidden') return;
  for (const side of ['a', 'b'] as const) {
    const box = document.querySelector(`[data-depth="${side}"], [data-depth="both"]`);
    if (!box) continue;
    const { top, height } = box.getBoundingClientRect();
    const share = Number(box.getAttribute('data-share') ?? 1); // of a long text that is shown
    const seen = height > 0 ? (lowerEdge(box) - top) / height : 1;
    depth[side] = Math.max(depth[side], Math.min(1, Math.max(0, seen)) * share);
  }
}

export function depths(): { a: number; b: number } {
  measure();
  return { a: Number(depth.a.toFixed(3)), b: Number(depth.b.toFixed(3)) };
}

export function watch(): void {
  document.addEventListener('visibilitychange', onVisibility);
  // scrolling of inner areas does not bubble
  addEventListener('scroll', measure, { capture: true, passive: true });
  addEventListener('resize', measure, { passive: true });
}
