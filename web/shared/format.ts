// SPDX-License-Identifier: MIT
//
// Numbers as people read them: no more digits than the interval earns, "to" in place of a
// dash, and never a zero where something was seen.

const NB = '\u00a0'; // a number stays with its unit

type Maybe = number | null | undefined;

// Whole percents below 1,000 pairs, one decimal from there on.
export function percent(share: Maybe, n = 0): string {
  if (share == null) return 'undefined';
  return `${percentDigits(share, n)}${NB}%`;
}

export function percentDigits(share: number, n: number): string {
  if (share > 0 && share < 0.01) return 'below 1';
  if (share < 1 && share > 0.99) return 'over 99';
  return (100 * share).toFixed(n >= 1000 ? 1 : 0);
}

export interface RateLike {
  value: Maybe;
  low: Maybe;
  high: Maybe;
  n?: number;
  why?: string;
}

// "62 % (57 to 67)"
export function rateShort(r: RateLike): string {
  const n = r.n ?? 0;
  if (r.value == null) return 'undefined';
  if (r.low == null || r.high == null) return percent(r.value, n);
  return `${percent(r.value, n)} (${percentDigits(r.low, n)} to ${percentDigits(r.high, n)})`;
}

// "62 % (95${NB}% interval 57 to 67, n = 393)"
export function rateLong(r: RateLike, what = 'n'): string {
  const n = r.n ?? 0;
  if (r.value == null) return `undefined (${reasonText(r.why)})`;
  const count = r.n == null ? '' : `, ${what}${NB}=${NB}${integer(n)}`;
  if (r.low == null || r.high == null)
    return `${percent(r.value, n)} (no interval: ${reasonText(r.why)}${count})`;
  return (
    `${percent(r.value, n)} (95${NB}% interval ${percentDigits(r.low, n)} to ` +
    `${percentDigits(r.high, n)}${count})`
  );
}

// -.05 to .72, as kappas are written; 1.00 and 0.00 keep their digit before the point
export function kappa(value: Maybe): string {
  if (value == null) return 'undefined';
  const text = Math.abs(value).toFixed(2);
  return (value < 0 && Number(text) !== 0 ? '\u2212' : '') + text;
}

export function number(value: Maybe, digits = 2): string {
  if (value == null) return '';
  return value.toFixed(digits).replace(/^-/, '\u2212');
}

// Scores and gaps: at most two decimals, none where there are none.
export function score(value: Maybe): string {
  if (value == null) return '';
  return String(Number(value.toFixed(2))).replace(/^-/, '\u2212');
}

export function integer(value: Maybe): string {
  return value == null ? 'unknown' : value.toLocaleString('en-US');
}

export function usd(value: Maybe): string {
  if (value == null) return 'unknown';
  return `$${value.toFixed(value < 0.1 ? 4 : 2)}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${integer(n)} ${n === 1 ? one : many}`;
}

export function signedPoints(value: Maybe): string {
  if (value == null) return 'undefined';
  const points = (100 * value).toFixed(1);
  return (value < 0 ? '\u2212' : '+') + points.replace('-', '');
}

export function pValue(p: Maybe): string {
  if (p == null) return 'undefined';
  return p < 0.001 ? 'below 0.001' : p.toFixed(3);
}

const REASONS: Record<string, string> = {
  no_rows: 'there is nothing to count',
  too_few_questions: 'too few questions',
  one_class: 'only one class occurs, so chance agreement is 1',
  no_variance: 'all values are equal',
  out_of_range: 'a value is out of range',
  unequal_raters: 'pairs have different numbers of labels',
  not_converged: 'the fit did not converge',
  no_scores: 'this judge gives verdicts, not scores',
  one_order: 'only one order was asked',
  not_drawn_so: 'labels were not drawn so',
  no_labels: 'there are no labels',
  too_few_labels: 'too few labels',
  labels_not_at_random: 'labels were not drawn at random',
  some_pairs_unlabelled: 'some of its pairs have no label',
  judge_errors_not_covered: "an interval would not cover the judge's errors",
  no_texts: 'the ledger does not hold the texts',
  unknown_usage: 'the endpoint named no token counts',
  unknown_price: 'no price is known for this model',
};

export function reasonText(why: string | undefined): string {
  if (!why) return 'no reason recorded';
  return REASONS[why] ?? why.replaceAll('_', ' ');
}

export function day(ms: number): string {
  return ms < 0 ? 'unknown' : new Date(ms).toISOString().slice(0, 10);
}
