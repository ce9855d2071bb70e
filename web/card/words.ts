// SPDX-License-Identifier: MIT
//
// Numbers of the card as people say them: counts of 100 in whole numbers, with "about" in
// the interval and never a zero where something could be.
import type { Maybe } from '../shared/table.tsx';
import type { Form, Interval, Paired, Probe } from './data.ts';

const NB = '\u00a0';

export function of100(share: Maybe): string {
  if (share == null) return 'undefined';
  return (100 * share).toFixed(0).replace(/^-0$/, '0');
}

export function range(r: Interval): string {
  return r.low == null || r.high == null ? '' : `${of100(r.low)} to ${of100(r.high)}`;
}

// "28 of 100"; "0 of 48" where nothing was seen.
export function share(r: Paired): string {
  return r.hits === 0 ? `0 of ${r.n}` : `${of100(r.asr.value)} of${NB}100`;
}

// "(19 to 39)"; "could be up to 7 in 100".
export function spread(r: Paired): string {
  if (r.hits > 0) return `95${NB}% interval ${range(r.asr)}`;
  return r.asr.high == null ? '' : `could be up to ${Math.ceil(100 * r.asr.high)} in 100`;
}

export const VERB: Record<Form, string> = {
  oversight: 'go unnoticed',
  susceptibility: 'go over to it',
};

export function describe(probe: Probe, short: string, r: Paired | null): string {
  if (!r) return `${short}: no pair counts.`;
  return (
    `${short}: ${share(r)} ${VERB[probe.form]}, ${spread(r)}; placebo ${of100(r.placebo.value)}; ` +
    `a coin-flip judge ${of100(probe.coin_flip)}; ${r.n} pairs count.`
  );
}

// The column of an outcome, by the probe's form; '' is both.
const OUTCOMES: Record<string, [string, string, string]> = {
  // digit: [susceptibility, oversight, both]
  '2': ['went over to it', 'missed', 'fooled or missed'],
  '3': ['stayed', 'noticed', 'stayed or noticed'],
  '1': ['does not count', 'does not count', 'does not count'],
  '0': ['could not be read', 'could not be read', 'could not be read'],
};

export function outcomeWord(outcome: number, form?: Form): string {
  const words = OUTCOMES[String(outcome)] ?? ['', '', ''];
  return form === 'susceptibility' ? words[0] : form === 'oversight' ? words[1] : words[2];
}

export const OUTCOME_ORDER = ['2', '3', '1', '0'];

export function classWord(digit: string | undefined): string {
  return { '0': 'the other answer', '1': 'tie', '2': 'this answer' }[digit ?? ''] ?? 'none';
}
