// SPDX-License-Identifier: MIT
//
// Charts: dots with lines for estimates, a strip for counts, bars for the one thing that
// is a count by value. Drawn by Observable Plot as SVG, with colours from the style sheet.
//
// Plot puts a style element into each drawing, which the page's policy would block; it is
// taken out before the drawing enters the document, and its rules stand in report.css.
// Plot also labels groups inside the drawing, which screen readers cannot use; the whole
// drawing is one image with one description, and the numbers are in a table below it.
import * as Plot from '@observablehq/plot';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Maybe } from '../shared/table.tsx';

const FONT = 13;
const CHAR = 7.7; // width of a character at that size, roughly

type Draw = (width: number) => Plot.PlotOptions;

function tidy(svg: Element, description: string): void {
  svg.querySelector('style')?.remove();
  svg.removeAttribute('fill');
  for (const node of svg.querySelectorAll('[aria-label], [aria-description], [aria-hidden]'))
    for (const name of ['aria-label', 'aria-description', 'aria-hidden'])
      node.removeAttribute(name);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', description);
}

// The name of the horizontal axis stands below as text, where it can wrap.
export function Chart(props: {
  draw: Draw;
  description: string;
  axis?: string;
  depends: unknown[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!box.current || width < 80) return;
    const svg = Plot.plot({
      className: 'chart',
      width,
      style: { fontSize: `${FONT}px` },
      ...props.draw(width),
    });
    tidy(svg, props.description);
    box.current.replaceChildren(svg);
  }, [width, props.description, ...props.depends]);
  return (
    <>
      <div ref={box} class="chart-box" />
      {props.axis && <p class="axis">{props.axis}</p>}
    </>
  );
}

// ---- dots with lines ----

export type Shape = 'disc' | 'square' | 'diamond' | 'ring';

export interface DotRow {
  label: string;
  value: Maybe;
  low?: Maybe;
  high?: Maybe;
  text: string; // the numbers, at the right; or why there are none
  shape?: Shape;
  tick?: Maybe; // a baseline of this row
}

const SYMBOL: Record<Shape, Plot.SymbolType> = {
  disc: 'circle',
  square: 'square',
  diamond: 'diamond',
  ring: 'circle',
};

export interface DotOptions {
  rows: DotRow[];
  domain: [number, number];
  axis: string;
  percent: boolean;
  rule?: number;
  ruleText?: string;
  tickText?: string;
}

let ruler: CanvasRenderingContext2D | null | undefined;

function widthOf(text: string): number {
  if (ruler === undefined) {
    ruler = document.createElement('canvas').getContext('2d');
    if (ruler) ruler.font = `${FONT}px ${getComputedStyle(document.body).fontFamily}`;
  }
  return ruler ? ruler.measureText(text).width : CHAR * text.length;
}

// Too long a label loses its middle: names of models differ at both ends.
function cutLabel(label: string, width: number): string {
  if (widthOf(label) <= width) return label;
  for (let most = Math.min(label.length, 200); most > 4; most--) {
    const head = Math.ceil((most - 1) / 2);
    const cut = `${label.slice(0, head)}\u2026${label.slice(label.length - (most - 1 - head))}`;
    if (widthOf(cut) <= width) return cut;
  }
  return `${label.slice(0, 3)}\u2026`;
}

function longest(texts: string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

// Labels stand left of the dots where there is room, and above them where there is not.
function dotPlot(o: DotOptions, width: number): Plot.PlotOptions {
  const above = width < 620;
  const left = above ? 12 : Math.min(longest(o.rows.map((r) => r.label)) + 20, width * 0.38);
  const right = above ? 12 : Math.min(longest(o.rows.map((r) => r.text)) + 20, width * 0.34);
  const step = above ? 56 : 34;
  const top = o.ruleText ? 36 : 16;
  const at = (r: DotRow) => o.rows.indexOf(r);
  const known = o.rows.filter((r) => r.value != null);
  const scale = o.percent ? 100 : 1;
  const x = (v: Maybe | undefined) => (v == null ? NaN : v * scale);
  const labelDy = above ? -20 : 0;
  const marks: Plot.Markish[] = [
    Plot.gridX({ stroke: 'var(--line)', strokeOpacity: 1 }),
    Plot.axisX({ label: null, tickSize: 4, ticks: above ? 5 : 9 }),
  ];
  if (o.rule != null)
    marks.push(Plot.ruleX([o.rule * scale], { stroke: 'var(--text)', strokeDasharray: '5 3' }));
  if (o.rule != null && o.ruleText)
    marks.push(
      Plot.text([o.rule * scale], {
        x: (v: number) => v, text: () => o.ruleText, frameAnchor: 'top', dy: above ? -22 : -14,
      }),
    );
  marks.push(
    Plot.link(known.filter((r) => r.low != null), {
      x1: (r: DotRow) => x(r.low), x2: (r: DotRow) => x(r.high), y: at,
      stroke: 'var(--mark)', strokeWidth: 2,
    }),
    Plot.tickX(o.rows.filter((r) => r.tick != null), {
      x: (r: DotRow) => x(r.tick), y: at, stroke: 'var(--text)', strokeWidth: 3,
      insetTop: 9, insetBottom: 9,
    }),
    Plot.dot(known, {
      x: (r: DotRow) => x(r.value), y: at, r: 4.5,
      symbol: (r: DotRow) => SYMBOL[r.shape ?? 'disc'],
      fill: (r: DotRow) => (r.shape === 'ring' ? 'var(--page)' : 'var(--mark)'),
      stroke: 'var(--mark)', strokeWidth: 2,
    }),
    Plot.text(o.rows, {
      y: at, text: (r: DotRow) => cutLabel(r.label, above ? width * 0.62 : left - 8),
      title: (r: DotRow) => r.label, frameAnchor: 'left', textAnchor: above ? 'start' : 'end',
      dx: above ? 0 : -8, dy: labelDy,
    }),
    Plot.text(o.rows, {
      y: at,
      text: (r: DotRow) => (r.value == null && !above ? '' : r.text),
      frameAnchor: 'right', textAnchor: above ? 'end' : 'start', dx: above ? 0 : 8, dy: labelDy,
    }),
    Plot.text(above ? [] : o.rows.filter((r) => r.value == null), {
      y: at, text: (r: DotRow) => r.text, frameAnchor: 'left', textAnchor: 'start', dx: 4,
      fill: 'var(--soft)',
    }),
  );
  return {
    height: top + step * o.rows.length + 28,
    marginLeft: left, marginRight: right, marginTop: top, marginBottom: 26,
    x: { domain: o.domain.map((v) => v * scale) },
    y: { type: 'band', domain: o.rows.map((_, i) => i), axis: null, padding: 0 },
    symbol: { type: 'identity' } as Plot.ScaleOptions,
    color: { type: 'identity' },
    marks,
  };
}

export function Dots(props: DotOptions & { description: string }) {
  return (
    <Chart
      draw={(width) => dotPlot(props, width)}
      description={props.description}
      axis={props.axis}
      depends={[JSON.stringify(props.rows), props.domain.join()]}
    />
  );
}

// ---- dots over bins, with vertical lines ----

export interface BinRow {
  label: string;
  value: Maybe;
  low: Maybe;
  high: Maybe;
  n: number;
}

export interface BinOptions {
  bins: BinRow[];
  xAxis: string;
  yAxis: string;
  rule?: number;
  top?: number; // end of the y axis
}

function binPlot(o: BinOptions, width: number): Plot.PlotOptions {
  const known = o.bins.filter((b) => b.value != null);
  const step = (width - 70) / Math.max(1, o.bins.length);
  const lines = Math.max(1, ...o.bins.map((b) => Math.ceil((b.label.length * CHAR) / (step - 6))));
  const at = (b: BinRow) => o.bins.indexOf(b);
  const bottom = 14 + (Math.min(lines, 4) + 1) * 15;
  const marks: Plot.Markish[] = [
    Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
    Plot.axisY({ label: o.yAxis, labelAnchor: 'top', tickSize: 4, ticks: 6, labelArrow: 'none' }),
    Plot.text(o.bins, {
      x: at, frameAnchor: 'bottom', lineAnchor: 'top', dy: 8,
      lineWidth: (step - 6) / FONT, lineHeight: 1.15,
      text: (b: BinRow) => `${b.label}\n${step < 64 ? `(${b.n})` : `n\u00a0=\u00a0${b.n}`}`,
    }),
    Plot.ruleY([0], { stroke: 'var(--soft)' }),
  ];
  if (o.rule != null)
    marks.push(Plot.ruleY([o.rule * 100], { stroke: 'var(--text)', strokeDasharray: '5 3' }));
  marks.push(
    Plot.ruleX(known.filter((b) => b.low != null), {
      x: at, y1: (b: BinRow) => 100 * (b.low ?? 0), y2: (b: BinRow) => 100 * (b.high ?? 0),
      stroke: 'var(--mark)', strokeWidth: 2,
    }),
    Plot.dot(known, {
      x: at, y: (b: BinRow) => 100 * (b.value ?? 0), r: 4.5,
      fill: (b: BinRow) => (b.low == null ? 'var(--page)' : 'var(--mark)'),
      stroke: 'var(--mark)', strokeWidth: 2,
    }),
    Plot.text(known, {
      x: at, y: (b: BinRow) => 100 * (b.value ?? 0), dx: 9, textAnchor: 'start',
      text: (b: BinRow) => (100 * (b.value ?? 0)).toFixed(0),
    }),
  );
  return {
    height: 240 + bottom,
    marginLeft: 46, marginRight: 24, marginTop: 34, marginBottom: bottom,
    x: { type: 'point', domain: o.bins.map((_, i) => i), axis: null, padding: 0.5 },
    y: { domain: [0, 100 * (o.top ?? 1)] },
    color: { type: 'identity' },
    marks,
  };
}

export function Bins(props: BinOptions & { description: string }) {
  return (
    <Chart
      draw={(width) => binPlot(props, width)}
      description={props.description}
      axis={props.xAxis}
      depends={[JSON.stringify(props.bins)]}
    />
  );
}

// ---- counts of rulings ----

export interface Part {
  name: string;
  n: number;
  kind: 'one' | 'two' | 'tie' | 'conflict' | 'none';
}

export interface StripRow {
  label: string;
  parts: Part[];
}

const FILL = {
  one: 'var(--c1)', two: 'var(--c2)', tie: 'var(--tie)', conflict: 'var(--tie-soft)',
  none: 'var(--page)',
};
const INK = {
  one: 'var(--on-mark)', two: 'var(--on-mark)', tie: 'var(--on-mark)', conflict: 'var(--text)',
  none: 'var(--text)',
};

interface Segment extends Part {
  row: number;
  from: number;
  to: number;
  total: number;
}

function segments(rows: StripRow[]): Segment[] {
  return rows.flatMap((row, r) => {
    const total = row.parts.reduce((sum, p) => sum + p.n, 0) || 1;
    let from = 0;
    return row.parts
      .filter((p) => p.n > 0)
      .map((p) => {
        const segment = { ...p, row: r, from, to: from + p.n / total, total };
        from = segment.to;
        return segment;
      });
  });
}

function stripPlot(rows: StripRow[], width: number): Plot.PlotOptions {
  const above = width < 620;
  const left = above || rows.length === 1 ? 4 : Math.min(longest(rows.map((r) => r.label)) + 16, width * 0.38);
  const titled = rows.length > 1 && above;
  const all = segments(rows);
  const room = (s: Segment) => (width - left - 4) * (s.to - s.from) - 10;
  const text = (s: Segment) => {
    const whole = `${s.name}: ${s.n}`;
    if (1.1 * widthOf(whole) <= room(s)) return whole; // it is bold
    return widthOf(String(s.n)) <= room(s) + 6 ? String(s.n) : '';
  };
  return {
    height: (titled ? 54 : 38) * rows.length + 6,
    marginLeft: left, marginRight: 4, marginTop: 2, marginBottom: 4,
    x: { domain: [0, 1], axis: null },
    y: { type: 'band', domain: rows.map((_, i) => i), axis: null, padding: 0 },
    color: { type: 'identity' },
    marks: [
      Plot.rect(all, {
        x1: 'from', x2: 'to', y: 'row', fill: (s: Segment) => FILL[s.kind],
        stroke: (s: Segment) => (s.kind === 'none' ? 'var(--soft)' : 'var(--page)'), strokeWidth: 1,
        insetTop: titled ? 20 : 4, insetBottom: 4,
        title: (s: Segment) => `${s.name}: ${s.n} of ${s.total}`,
      }),
      Plot.text(all, {
        x: (s: Segment) => (s.from + s.to) / 2, y: 'row', dy: titled ? 8 : 0, text,
        fill: (s: Segment) => INK[s.kind], fontWeight: 600,
      }),
      Plot.text(rows.length === 1 ? [] : rows, {
        y: (r: StripRow) => rows.indexOf(r),
        text: (r: StripRow) => cutLabel(r.label, above ? width - 8 : left - 8),
        title: (r: StripRow) => r.label,
        frameAnchor: 'left', textAnchor: above ? 'start' : 'end', dx: above ? 0 : -8,
        dy: titled ? -18 : 0,
      }),
    ],
  };
}

export function Strip(props: { rows: StripRow[]; description: string }) {
  return (
    <Chart
      draw={(width) => stripPlot(props.rows, width)}
      description={props.description}
      depends={[JSON.stringify(props.rows)]}
    />
  );
}

// ---- BPDE by value, with the part that people would label ----

export interface BpdeBar {
  low: number;
  high: number;
  n: number;
  marked: number; // of the n, those within the budget
}

export const BPDE_MAX = Math.log(3);

function bpdePlot(bars: BpdeBar[], width: number): Plot.PlotOptions {
  const half = BPDE_MAX / 60;
  const single = (b: BpdeBar) => b.low === b.high;
  const x1 = (b: BpdeBar) => (single(b) ? b.low - half : b.low);
  const x2 = (b: BpdeBar) => (single(b) ? b.high + half : b.high);
  return {
    height: 240,
    marginLeft: 56, marginRight: 12, marginTop: 30, marginBottom: 26,
    x: { domain: [-half * 1.6, BPDE_MAX + half * 1.6] },
    y: { domain: [0, Math.max(1, ...bars.map((b) => b.n)) * 1.12] },
    marks: [
      Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
      Plot.axisX({
        label: null, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], tickFormat: (v: number) => v.toFixed(1),
      }),
      Plot.axisY({ label: 'pairs', labelAnchor: 'top', ticks: 5, labelArrow: 'none' }),
      Plot.rectY(bars, { x1, x2, y: 'n', fill: 'var(--bar)', inset: 0.5 }),
      Plot.rectY(bars.filter((b) => b.marked > 0), {
        x1, x2, y1: (b: BpdeBar) => b.n - b.marked, y2: 'n', fill: 'var(--c2)', inset: 0.5,
      }),
      Plot.ruleY([0], { stroke: 'var(--soft)' }),
      Plot.text(width < 500 && bars.length > 8 ? [] : bars.filter((b) => b.n > 0), {
        x: (b: BpdeBar) => (b.low + b.high) / 2, y: 'n', dy: -8,
        text: (b: BpdeBar) => (b.marked > 0 && b.marked < b.n ? `${b.marked} of ${b.n}` : String(b.n)),
      }),
    ],
  };
}

export function BpdeBars(props: { bars: BpdeBar[]; description: string }) {
  return (
    <Chart
      draw={(width) => bpdePlot(props.bars, width)}
      description={props.description}
      axis="BPDE of a pair: 0 all replies agree, 1.10 all three verdicts alike"
      depends={[JSON.stringify(props.bars)]}
    />
  );
}

// ---- lines over budgets ----

export interface BudgetPoint {
  percent: number;
  accuracy: Maybe;
  active: Maybe;
  random: Maybe;
}

// Shapes stand at every tenth percent; colour alone tells nothing.
const SELECTORS = [
  { key: 'random', symbol: 'circle', colour: 'var(--c1)' },
  { key: 'active', symbol: 'diamond', colour: 'var(--text)' },
  { key: 'accuracy', symbol: 'square', colour: 'var(--c2)' },
] as const;

function budgetPlot(points: BudgetPoint[], at: number): Plot.PlotOptions {
  const lowest = Math.min(...points.map((p) => p.accuracy ?? 1));
  const marks: Plot.Markish[] = [
    Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
    Plot.axisX({ label: null, ticks: [0, 20, 40, 60, 80, 100] }),
    Plot.axisY({ label: 'right in %', labelAnchor: 'top', ticks: 6, labelArrow: 'none' }),
    Plot.ruleX([at], { stroke: 'var(--soft)', strokeDasharray: '4 3' }),
  ];
  for (const { key, symbol, colour } of SELECTORS)
    marks.push(
      Plot.line(points, {
        x: 'percent', y: (p: BudgetPoint) => 100 * (p[key] ?? 0), stroke: colour, strokeWidth: 1.5,
      }),
      Plot.dot(points.filter((p) => p.percent % 10 === 0), {
        x: 'percent', y: (p: BudgetPoint) => 100 * (p[key] ?? 0), symbol, r: 4.5, fill: colour,
        stroke: colour,
      }),
    );
  return {
    height: 280,
    marginLeft: 46, marginRight: 16, marginTop: 30, marginBottom: 26,
    x: { domain: [0, 100] },
    y: { domain: [Math.floor(10 * lowest) * 10, 100] },
    marks,
  };
}

export function BudgetLines(props: { points: BudgetPoint[]; at: number; description: string }) {
  return (
    <Chart
      draw={() => budgetPlot(props.points, props.at)}
      description={props.description}
      axis="pairs that people decide, in %; dashed: the budget chosen above"
      depends={[JSON.stringify(props.points), props.at]}
    />
  );
}

// ---- lines over the number of samples ----

export interface Series {
  orders: string;
  k: number;
  value: Maybe;
  low: Maybe;
  high: Maybe;
}

const ORDER_SHAPE: Record<string, Plot.SymbolType> = { '12': 'circle', '21': 'square', both: 'diamond' };
const ORDER_FILL: Record<string, string> = { '12': 'var(--c1)', '21': 'var(--c2)', both: 'var(--text)' };

function samplesPlot(rows: Series[], axis: string): Plot.PlotOptions {
  const known = rows.filter((r) => r.value != null);
  const ks = [...new Set(rows.map((r) => r.k))].sort((a, b) => a - b);
  const shift: Record<string, number> = { '12': -7, both: 0, '21': 7 };
  const marks: Plot.Markish[] = [
    Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1 }),
    Plot.axisX({ label: null }),
    Plot.axisY({ label: axis, labelAnchor: 'top', ticks: 6, labelArrow: 'none' }),
  ];
  for (const orders of ['12', '21', 'both']) {
    const own = known.filter((r) => r.orders === orders);
    const stroke = ORDER_FILL[orders] ?? 'var(--text)';
    const dx = shift[orders] ?? 0;
    marks.push(
      Plot.ruleX(own.filter((r) => r.low != null), {
        x: 'k', y1: (r: Series) => 100 * (r.low ?? 0), y2: (r: Series) => 100 * (r.high ?? 0),
        stroke, strokeWidth: 2, dx,
      }),
      Plot.dot(own, {
        x: 'k', y: (r: Series) => 100 * (r.value ?? 0), symbol: ORDER_SHAPE[orders] ?? 'circle',
        r: 4.5, fill: stroke, stroke, dx,
      }),
    );
  }
  return {
    height: 280,
    marginLeft: 46, marginRight: 12, marginTop: 30, marginBottom: 26,
    x: { type: 'point', domain: ks, padding: 0.5 },
    y: { domain: [0, 100] },
    marks,
  };
}

export function Samples(props: { rows: Series[]; axis: string; description: string }) {
  return (
    <Chart
      draw={() => samplesPlot(props.rows, props.axis)}
      description={props.description}
      axis="replies to each prompt (k)"
      depends={[JSON.stringify(props.rows)]}
    />
  );
}
