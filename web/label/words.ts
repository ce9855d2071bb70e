// SPDX-License-Identifier: MIT
//
// What the page says.
import { integer, plural } from '../shared/format.ts';
import type { Choice, Decision, Progress, State } from './api.ts';
import type { Trouble } from './outbox.ts';

export const CHOICES: Record<Choice, string> = {
  A: 'A is better',
  B: 'B is better',
  tie: 'Tie',
  skip: 'Skipped',
};

export function decisionWords(d: Pick<Decision, 'choice' | 'familiar'>): string {
  return CHOICES[d.choice] + (d.familiar ? '' : ', topic not familiar');
}

export function total(p: Progress): number {
  return p.done + p.left + p.skipped;
}

export function seconds(s: number): string {
  if (s < 90) return `${Math.round(s)} s`;
  return `${Math.round(s / 60)} min`;
}

const waits = (n: number) =>
  n === 1 ? '1 label waits in this browser' : `${integer(n)} labels wait in this browser`;

export function troubleWords(t: Trouble, nWaiting: number, nLoaded: number): string {
  const kept = nWaiting ? `${waits(nWaiting)}.` : 'Nothing is lost.';
  if (t.kind === 'token')
    return (
      'This link is not valid any more. Ask the owner for a new one. ' +
      (nWaiting ? `${waits(nWaiting)} and will be sent when you open it here.` : kept)
    );
  const more = nLoaded === 1 ? '1 more pair is loaded' : `${integer(nLoaded)} more pairs are loaded`;
  const go = nLoaded
    ? `Go on; ${more}.`
    : 'No more pairs are loaded; the page goes on by itself when it can.';
  if (t.kind === 'offline') return `No connection. ${kept} ${go}`;
  const sent = nWaiting
    ? `${waits(nWaiting)} and will be sent again.`
    : 'The page asks again by itself.';
  return `The server answered ${t.status}. ${sent} ${go}`;
}

export function refusedWords(status: number): string {
  return (
    `The server did not take a label (${status}). It is kept in this browser; ` +
    'tell the owner. You can go on.'
  );
}

// What stands where a pair would, when there is none: a heading and sentences.
export function nothingWords(state: State, p: Progress): { head: string; lines: string[] } {
  const ask = state.contact ? [`Questions: ${state.contact}`] : [];
  if (state.paused)
    return {
      head: 'The owner has paused the labelling.',
      lines: [
        p.done ? `Your ${plural(p.done, 'label is', 'labels are')} safe.` : 'Nothing is open.',
        'This page goes on by itself when the labelling does.',
        ...ask,
      ],
    };
  if (p.done + p.skipped === 0)
    return {
      head: 'Nothing to label for you yet.',
      lines: ['This page looks again by itself.', ...ask],
    };
  const head = p.done === 1 ? 'Done. Thank you.' : `All ${integer(p.done)} done. Thank you.`;
  return { head, lines: [...ask] };
}
