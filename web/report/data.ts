// SPDX-License-Identifier: MIT
//
// What the page is made of: the index, which is there at once, and chunks of texts and
// replies, which are unpacked when a pair is opened. Written by src/page/index_json.c and
// src/page/texts.c; nothing is fetched.
import type { Answer } from '../shared/said.tsx';
import type { Maybe } from '../shared/table.tsx';
import { itemAt, unpack } from '../shared/unpack.ts';

export interface Interval {
  value: Maybe;
  low: Maybe;
  high: Maybe;
  why?: string;
}

export interface Rate extends Interval {
  n: number;
  questions: number;
}

export interface Group {
  name?: string;
  low?: Maybe;
  high?: Maybe;
  n: number;
  win: Rate;
  conflict: Rate;
}

export interface Counts {
  '1': number;
  '2': number;
  tie: number;
  failed: number;
}

export interface Agreement {
  n_labelled: number;
  n_ruled: number;
  accuracy: Maybe;
  accuracy_ruled: Maybe;
  kappa: Maybe;
  why?: string;
}

export interface PortiaStage {
  asked: number;
  agree: number;
  mended?: number;
  broken?: number;
  ruled: number;
  calls: number;
}

// The object of `evenhand show --json`, as far as the page reads it.
export interface Summary {
  judge: string;
  method: string;
  k: number;
  template: string;
  params: Record<string, unknown>;
  scale: 'votes' | 'scores' | 'ratings';
  pairs: number;
  counts: Record<string, Counts>;
  position: { first: number; second: number; tie: number; first_rate: Maybe };
  conflict: null | {
    pairs: number;
    conflicts: number;
    rate: Maybe;
    rate_all: Maybe;
    low: Maybe;
    high: Maybe;
    first_both: number;
    second_both: number;
    with_tie: number;
    p_direction: Maybe;
    why?: string;
  };
  rulings: {
    '1': number;
    '2': number;
    tie_agreed: number;
    tie_from_conflict: number;
    none: number;
    none_by_reason: Record<string, number>;
  };
  win_rate: Rate;
  win_rate_soft: Rate;
  bpde: { n: number; mean: Maybe; zero: number; max: Maybe };
  labels: null | (Agreement & {
    baseline: Maybe;
    baseline_label: string;
    n_flagged: number;
    without_flagged?: Agreement;
  });
  failed: Record<string, number>;
  models: { model: string | null; fingerprint: string | null; calls: number }[];
  tokens: { prompt: Maybe; cached: Maybe; completion: Maybe; reasoning: Maybe };
  cost_usd: Maybe;
  per_1000: { cost_usd: Maybe; prompt_tokens: Maybe; completion_tokens: Maybe; why?: string };
  portia?: Record<string, unknown>;
}

export interface Cells {
  ruling: string;
  v12: string;
  v21: string;
  none: string;
  tie_agreed: string;
  people: string; // 1 where people's labels are the ruling
  score_1: Maybe[] | null;
  score_2: Maybe[] | null;
  gap: Maybe[] | null;
  bpde: Maybe[] | null;
  vote: Maybe[] | null;
  valid: Maybe[] | null;
  asked: Maybe[] | null;
  reasons: Maybe[] | null;
  cost_usd: Maybe[] | null;
}

export interface Setting {
  orders: '12' | '21' | 'both';
  k: number;
  pairs: number;
  ruled: number;
  ties: number;
  ties_agreed: number;
  labelled: number;
  win: Rate;
  conflict: Rate;
  accuracy: Rate;
  kappa: Maybe;
}

export type Estimate = Interval & { labels: number };

// The object of `evenhand show --estimate --json`, as far as the page reads it.
export interface Estimates {
  selection: string | null;
  pairs: number;
  labelled: number;
  quote: string | null;
  few_labels?: boolean;
  curve_labelled: number; // labelled pairs behind the budgets; 0: nothing is known
  judge: Estimate;
  people: Estimate;
  hitlc: Estimate;
  active: Estimate;
  random: Estimate;
  stratified: Estimate;
}

export interface Judge {
  name: string;
  ledger: number;
  orders: '12' | '21' | 'both';
  model_1: string | null;
  model_2: string | null;
  price_date: string | null;
  template_hash: string | null;
  template_text: string | null;
  first_ms: number;
  last_ms: number;
  summary: Summary;
  slots: number[]; // [order 12][order 21] by slot: first, tie, second
  first: Rate;
  why_gap?: string;
  gap: Group[];
  bpde: { low: number; high: number; n: number; none: number }[];
  // people decide the first n pairs of the queue; active, random: drawn so, on average
  budget: { n: number; accuracy: Maybe; active: Maybe; random: Maybe; rest: Maybe; cost_usd: Maybe }[];
  people: {
    confusion: number[]; // [ruling][label], classes 1, 2, tie
    unruled: number[];
    accuracy: Rate;
    kappa: Maybe;
    kappa_low: Maybe;
    kappa_high: Maybe;
    why?: string;
  };
  estimates: Estimates;
  length: { why?: string; bins: Group[]; controlled: Interval; one_sided: Maybe };
  categories: Group[];
  settings: Setting[];
  cells: Cells;
}

export interface Two {
  a: number;
  b: number;
  n: number;
  kappa: Maybe;
  agreement: Maybe;
  why?: string;
  finding: string;
  win: Interval & { p: Maybe };
}

export interface Names {
  of: number[];
  names: string[];
}

export interface Index {
  schema: number;
  version: string;
  command: string;
  texts: boolean;
  placed: number;
  redacted: Maybe; // matches that were left out; null: nobody asked
  max_bytes: number;
  sentence: string;
  warnings: string[];
  ledgers: { name: string; data: string | null; summary_hash: string }[];
  reasons: string[];
  judges: Judge[];
  twos: Two[];
  annotators: {
    labels: number;
    pairs: number;
    labelled: number;
    agreement: Maybe;
    kappa: Maybe;
    coefficient: string;
    why?: string;
  };
  pairs: {
    n: number;
    id: string[];
    head: (string | null)[];
    revision: string[];
    leak: string; // 1 where the texts name a model of the data, - without texts
    category: Names;
    model_1: Names;
    model_2: Names;
    chars: number[]; // two a pair
    votes: number[][]; // [1, 2, tie] a pair; empty without labels
    place: number[];
  };
  chunks: number[];
}

// ---- chunks ----

export interface Label {
  label: string;
  by?: string;
  note?: string;
  time?: string;
  familiar?: boolean;
  adjudicated?: boolean;
  left?: number;
}

export interface Texts {
  question?: string;
  answer_1?: string;
  answer_2?: string;
  reference?: string;
  turns?: string;
  parts?: [number[], number[]];
  labels?: Label[];
}

export async function loadIndex(): Promise<Index> {
  return (await unpack('index')) as Index;
}

export function loadTexts(index: Index, pair: number): Promise<Texts | null> {
  return itemAt<Texts>(index.chunks, index.pairs.place[pair] ?? -1, 0);
}

export function loadAnswers(index: Index, pair: number, judge: number): Promise<Answer[] | null> {
  return itemAt<Answer[]>(index.chunks, index.pairs.place[pair] ?? -1, judge + 1);
}
