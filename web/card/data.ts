// SPDX-License-Identifier: MIT
//
// What the judge card is made of. "cards" is the object of `evenhand show AUDIT.db
// --json`, so every number here is the command's; the index around it is written by
// src/page/card_index.c, the chunks by src/page/card_texts.c.
import type { Answer } from '../shared/said.tsx';
import type { Maybe } from '../shared/table.tsx';
import { itemAt, unpack } from '../shared/unpack.ts';

export interface Interval {
  value: Maybe;
  low: Maybe;
  high: Maybe;
}

export interface Paired {
  n: number;
  hits: number;
  only_experiment: number;
  only_placebo: number;
  asr: Interval;
  placebo: Interval;
  difference: Interval;
  p: Maybe;
}

export type Class = 'other' | 'tie' | 'perturbed';
export type CountTable = Record<Class, Record<Class, number>>;
export type Form = 'oversight' | 'susceptibility';
export type State = 'held_up' | 'affected' | 'fooled' | 'not_enough_data' | 'cannot_be_read';

export interface Scored {
  pairs: number;
  unread: number;
  oversight: Paired | null;
  susceptibility: Paired | null;
  table: CountTable;
  table_placebo: CountTable;
}

export interface Probe extends Scored {
  form: Form;
  state: State;
  fault: string | null;
  flagged: boolean;
  q: Maybe;
  holm: Maybe;
  coin_flip: Maybe;
  detectable: Maybe;
  by_category: Record<string, Scored>;
}

export interface Card {
  template: string | null;
  pairs: number;
  votes_a_pair: Maybe; // null: people
  answers_trimmed: number;
  calls: number;
  calls_open: number;
  votes: number; // more than calls where rows have equal prompts
  failed: number;
  cost_usd: Maybe;
  fault: string | null;
  position: {
    votes: number;
    failed: number;
    first: number;
    second: number;
    tie: number;
    first_rate: Interval;
    tie_rate: Maybe;
    kappa_of_controls: Maybe;
  };
  probes: Record<string, Probe>;
  people: {
    people: number;
    votes: number;
    votes_a_pair_low: number;
    votes_a_pair_high: number;
    unfamiliar: number;
    adjudicated: number;
    without_side: number;
    rows: number;
    rows_labelled: number;
  } | null;
  detectable_before: Maybe;
  verbosity: { bins: { from_tokens: number; pairs: number; longer: Interval }[]; trend_p: Maybe };
  limits: {
    margin: number;
    max_q: number;
    min_pairs: number;
    max_first_rate: number;
    max_tie_rate: number;
    max_failed: number;
    min_kappa: number;
  };
}

export interface ProbeWords {
  name: string; // its key in the card
  short: string;
  what: string;
  state_text: string;
  finding: string;
}

export interface Uses {
  use: string[];
  both: string[];
  not: string[];
  unknown: string[];
  unreadable: string[];
  untested: string[];
}

// Columns, one entry a pair and probe.
export interface Items {
  n: number;
  unit: number[];
  probe: number[];
  variant: number[];
  padded: Maybe[];
  outcome: string; // 0 unread, 1 not counted, 2 hit, 3 stayed
  placebo_hit: string;
  control: string; // 0 other, 1 tie, 2 the changed answer, - none
  placebo: string;
  experiment: string;
  control_vote: Maybe[]; // 0 to 1
  placebo_vote: Maybe[];
  experiment_vote: Maybe[];
  padded_vote: Maybe[];
}

export interface CardTable {
  title: string;
  note: string | null;
  head: string[];
  rows: string[][];
}

// A dot on an axis, or a reason why there is none; words are C's (src/page/card_cells.h).
export interface PartLine {
  name: string;
  state: State | null;
  state_text: string | null;
  rate: Interval;
  tick: Maybe;
  coin: Maybe;
  words: string;
  more: string;
}

export interface LineGroup {
  title: string;
  axis: string;
  rule: Maybe;
  note: string;
  lines: PartLine[];
}

export interface Part {
  id: string;
  title: string;
  text: string[];
  groups: LineGroup[];
  tables: CardTable[];
}

export interface ChangeCell {
  name: string; // of a probe
  change: Interval;
  words: string;
  shown: boolean;
}

export interface Judge {
  name: string;
  key: string;
  ledger: number;
  first_ms: number;
  last_ms: number;
  params: Record<string, unknown> | null;
  sentence: string;
  fault: string | null;
  probes: ProbeWords[]; // worst first
  uses: Uses;
  limits: string[];
  parts: Part[];
  tables: CardTable[];
  items: Items;
}

export interface Index {
  version: string;
  command: string;
  texts: boolean;
  placed: number;
  max_bytes: number;
  ledgers: {
    name: string;
    data: string | null;
    summary_hash: string;
    cards: { judges: Record<string, Card> };
  }[];
  judges: Judge[];
  change: { note: string; cells: ChangeCell[] } | null; // of one judge at two dates
  units: { n: number; id: string[]; head: Maybe2[]; category: Maybe2[]; place: number[] };
  chunks: number[];
}

type Maybe2 = string | null;

export interface Variant {
  probe: string;
  side: 1 | 2;
  padded?: boolean;
  answer?: string;
  edits?: Edit[]; // what was changed, where the ledger knows it
}

// Where in the plain answer, how much went there, how much came.
export type Edit = [at: number, removed: number, inserted: number];

export interface Texts {
  question?: string;
  answer_1?: string;
  answer_2?: string;
  reference?: string;
  variants: Variant[];
}

export interface Replies {
  control: Answer[];
  placebo: Answer[];
  variants: Answer[][];
}

export async function loadIndex(): Promise<Index> {
  return (await unpack('index')) as Index;
}

export function loadTexts(index: Index, unit: number): Promise<Texts | null> {
  return itemAt<Texts>(index.chunks, index.units.place[unit] ?? -1, 0);
}

export function loadReplies(index: Index, unit: number, judge: number): Promise<Replies | null> {
  return itemAt<Replies>(index.chunks, index.units.place[unit] ?? -1, judge + 1);
}

export function cardOf(index: Index, judge: Judge): Card {
  const card = index.ledgers[judge.ledger]?.cards.judges[judge.key];
  if (!card) throw new Error(`this file has no card of ${judge.name}; it may be cut short`);
  return card;
}

// The share in the probe's own form; null where no pair could be counted.
export function pairedOf(probe: Probe | Scored, form: Form): Paired | null {
  return probe[form];
}
