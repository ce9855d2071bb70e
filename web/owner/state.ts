// SPDX-License-Identifier: MIT
//
// What the server said last, asked again every five seconds while the page is looked at.
import { signal } from '@preact/signals';
import { Failure } from '../shared/net.ts';
import * as api from './api.ts';

const POLL_MS = 5000;

export const state = signal<api.State | null>(null);
export const trouble = signal<string | null>(null);
export const spoken = signal(''); // for the live region

let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;

export function troubleWords(e: unknown): string {
  if (!(e instanceof Failure)) return 'Something went wrong in this page. Load it again.';
  if (e.status === 0)
    return 'No connection to the server. These numbers are from before; the page asks again by itself.';
  if (e.status === 401)
    return "This link is not valid any more. Start evenhand annotate again: it prints the owner's link.";
  const said = (e.body as { message?: string } | null)?.message;
  return said ?? `The server answered ${e.status}. Nothing was changed.`;
}

export async function refresh(): Promise<void> {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  try {
    state.value = await api.getState();
    trouble.value = null;
  } catch (e) {
    trouble.value = troubleWords(e);
  }
  asking = false;
  timer = setTimeout(() => {
    if (document.visibilityState === 'visible') void refresh();
  }, POLL_MS);
}

export function watch(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void refresh();
  });
  addEventListener('online', () => void refresh());
  void refresh();
}

// Does what a button asks for, then looks at what became of it; the fault, if any, in words.
export async function act(what: () => Promise<unknown>, said: string): Promise<string | null> {
  try {
    await what();
  } catch (e) {
    return troubleWords(e);
  }
  spoken.value = said;
  await refresh();
  return null;
}
