// SPDX-License-Identifier: MIT
//
// The captions: the conclusion of each chart as a sentence made from its numbers. Each has
// three forms: clear, unclear, and not enough data. Pure.
import { integer, kappa, percent, plural, rateLong, reasonText } from '../shared/format.ts';
import type { Group, Judge, Rate } from './data.ts';

export function subjectOf(judge: Judge): string {
  const { model_1: one, model_2: two } = judge;
  return one && one !== two ? one : 'answer 1';
}

export function otherOf(judge: Judge): string {
  const { model_1: one, model_2: two } = judge;
  return two && one !== two ? two : 'answer 2';
}

type Side = 'above' | 'below' | 'open' | 'unknown';

export function sideOf(rate: { low: number | null; high: number | null }, rule = 0.5): Side {
  if (rate.low == null || rate.high == null) return 'unknown';
  if (rate.low > rule) return 'above';
  return rate.high < rule ? 'below' : 'open';
}

export function winCaption(judge: Judge): string {
  const rate = judge.summary.win_rate;
  const name = subjectOf(judge);
  if (rate.value == null) return `There is no win rate: ${reasonText(rate.why)}.`;
  const start = `${name} wins ${rateLong(rate)} of the ruled pairs, a tie counting half`;
  switch (sideOf(rate)) {
    case 'above':
      return `${start}: it is ahead.`;
    case 'below':
      return `${start}: it is behind.`;
    case 'open':
      return `${start}: no winner is shown.`;
    default:
      return `${start}: too little to tell.`;
  }
}

export function winsCaption(judges: Judge[]): string {
  const sides = judges.map((j) => sideOf(j.summary.win_rate));
  const count = (side: Side) => sides.filter((s) => s === side).length;
  const [above, below, open] = [count('above'), count('below'), count('open')];
  const rest = count('unknown');
  const tail = rest ? ` ${plural(rest, 'judge')} without interval.` : '';
  if (above === 0 && below === 0)
    return `No judge shows a winner: every interval includes 50 %.${tail}`;
  return (
    `${plural(above, 'judge')} with answer 1 ahead, ${integer(below)} with answer 2 ahead, ` +
    `${integer(open)} without a winner.${tail}`
  );
}

export function firstCaption(judge: Judge): string {
  if (judge.orders !== 'both')
    return (
      `Only order ${judge.orders} was asked: how often the first slot wins is then how often ` +
      'one answer wins, and says nothing about position.'
    );
  const rate = judge.first;
  if (rate.value == null) return `Undefined: ${reasonText(rate.why)}.`;
  const start =
    `Of its decided replies the judge gives the first slot ${rateLong(rate)}`;
  switch (sideOf(rate)) {
    case 'above':
      return `${start}: it leans to what it reads first.`;
    case 'below':
      return `${start}: it leans to what it reads second.`;
    case 'open':
      return `${start}: no lean to a place is shown.`;
    default:
      return `${start}: too little to tell.`;
  }
}

export function conflictCaption(judge: Judge): string {
  const c = judge.summary.conflict;
  if (!c) return 'Conflicts need both orders, and only one was asked.';
  if (c.rate == null) return 'No pair has a verdict in both orders.';
  const rate = { value: c.rate, low: c.low, high: c.high, n: c.pairs, why: c.why };
  const parts = `${c.first_both} for the first slot both times, ${c.second_both} for the second, ${c.with_tie} with a tie in one order`;
  return `The two orders disagree on ${rateLong(rate)} of pairs: ${parts}.`;
}

function outer(groups: Group[]): [Group, Group] | null {
  const known = groups.filter((g) => g.conflict.value != null);
  const first = known[0];
  const last = known[known.length - 1];
  return known.length >= 2 && first && last ? [first, last] : null;
}

function apart(a: Rate, b: Rate): boolean {
  if (a.low == null || a.high == null || b.low == null || b.high == null) return false;
  return a.low > b.high || b.low > a.high;
}

export function gapCaption(judge: Judge): string {
  if (judge.why_gap) return `No chart: ${reasonText(judge.why_gap)}.`;
  const ends = outer(judge.gap);
  if (!ends) return 'All pairs have about the same score gap: there is nothing to compare.';
  const [small, large] = ends;
  if (judge.gap.every((g) => g.conflict.value === 0))
    return 'No pair with scores in both orders is in conflict, at whatever score gap.';
  const start =
    `At the smallest score gaps ${percent(small.conflict.value, small.n)} of pairs conflict, ` +
    `at the largest ${percent(large.conflict.value, large.n)}`;
  if (!apart(small.conflict, large.conflict))
    return `${start}: the intervals overlap, so a trend is not shown.`;
  return (small.conflict.value ?? 0) > (large.conflict.value ?? 0)
    ? `${start}: small gaps are mostly noise.`
    : `${start}: here larger gaps conflict more, which is unusual.`;
}

export function bpdeCaption(judge: Judge): string {
  const { bpde } = judge.summary;
  if (bpde.n === 0) return 'No pair has a readable reply.';
  return (
    `On ${integer(bpde.zero)} of ${integer(bpde.n)} pairs all replies agree; on the other ` +
    `${integer(bpde.n - bpde.zero)} they differ, and those are the first that a person should see.`
  );
}

export function accuracyCaption(judge: Judge): string {
  const labels = judge.summary.labels;
  const { accuracy } = judge.people;
  if (!labels || accuracy.value == null) return 'No pair of this judge has a label.';
  const baseline = labels.baseline ?? 0;
  const start =
    `The judge is right on ${rateLong(accuracy, 'labelled pairs')}; always answering ` +
    `"${labels.baseline_label}" would be right on ${percent(baseline, accuracy.n)}`;
  switch (sideOf(accuracy, baseline)) {
    case 'above':
      return `${start}: it does better than that.`;
    case 'below':
      return `${start}: it does worse than that.`;
    default:
      return `${start}: no difference from that is shown.`;
  }
}

export function kappaCaption(judge: Judge): string {
  const { people } = judge;
  if (people.kappa == null) return `Kappa is undefined: ${reasonText(people.why)}.`;
  const interval =
    people.kappa_low == null
      ? ''
      : ` (95 % interval ${kappa(people.kappa_low)} to ${kappa(people.kappa_high)})`;
  return (
    `Kappa, the agreement beyond chance, is ${kappa(people.kappa)}${interval}: 1 is full ` +
    'agreement, 0 what chance gives.'
  );
}

// Length of answer 1 over that of answer 2; the ends are those of src/page/sections.c.
export const LENGTHS = [
  'under \u00bc', '\u00bc to \u00bd', '\u00bd to 0.8', '0.8 to 1.25', '1.25 to 2', '2 to 4', 'over 4',
];

export function lengthCaption(judge: Judge): string {
  const { length } = judge;
  if (length.why) return `No chart: ${reasonText(length.why)}.`;
  const known = length.bins
    .map((bin, i) => ({ ...bin, ratio: LENGTHS[i] }))
    .filter((b) => b.win.value != null && b.n >= 5);
  const first = known[0];
  const last = known[known.length - 1];
  if (!first || !last || first === last)
    return 'Nearly all pairs have answers of one length ratio: nothing to compare.';
  const start =
    `Answer 1 wins ${percent(first.win.value, first.n)} where it is ${first.ratio} times as ` +
    `long as the other and ${percent(last.win.value, last.n)} where it is ${last.ratio} times`;
  if (!apart(first.win, last.win)) return `${start}: an effect of length is not shown.`;
  return (last.win.value ?? 0) > (first.win.value ?? 0)
    ? `${start}: longer answers win more often, which may be taste or quality.`
    : `${start}: shorter answers win more often.`;
}
