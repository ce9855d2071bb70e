// SPDX-License-Identifier: MIT
//
// Model text as a person reads it. The text is hostile until shown otherwise:
//
//   text --markdown-it, raw HTML off--> HTML --DOMPurify, short list--> nodes
//                                                        `-- math put in as MathML
//
// Nothing of it loads or navigates: an image is its description and address, a link its
// text and address. No style attribute reaches a parser, since a strict policy reports
// each. Math stands only in $$..$$, \[..\] and \(..\): a single $ is usually money. What
// sets formulas and what highlights code are handed over, since they are larger than all
// the rest and most texts need neither; without them both stand as they were written.
// Whatever fails, the caller shows the raw text.
import DOMPurify from 'dompurify';
import MarkdownIt from 'markdown-it';

// ---- what is handed over ----

// MathML of a formula, or null where it cannot be set.
export type SetFormula = (tex: string, display: boolean) => Element | null;
// HTML of code with its words in classes; empty where it stays plain.
export type Highlight = (code: string, info: string) => string;
let setFormula: SetFormula | null = null;
let highlight: Highlight | null = null;

export function setMath(by: SetFormula): void {
  setFormula = by;
}

export function setHighlight(by: Highlight): void {
  highlight = by;
}

// Whether a text may hold formulas, or code of a named language, that nothing sets yet.
export function lacksMath(text: string): boolean {
  return setFormula == null && /\$\$|\\[[(]/.test(text);
}

export function lacksHighlight(text: string): boolean {
  return highlight == null && /^[\s>]*(?:[-*+] +|\d+[.)] +)?(?:```|~~~)[`~]*[ \t]*\w/m.test(text);
}

const md = new MarkdownIt({
  html: false,
  linkify: false,
  highlight: (code, info) => highlight?.(code, info) ?? '',
});
const escape = md.utils.escapeHtml;

// ---- math ----

const MARKS: [string, string, boolean][] = [
  ['$$', '$$', true],
  ['\\[', '\\]', true],
  ['\\(', '\\)', false],
];

md.inline.ruler.before('escape', 'math', (state, silent) => {
  for (const [open, close, block] of MARKS) {
    if (!state.src.startsWith(open, state.pos)) continue;
    const from = state.pos + open.length;
    const end = state.src.indexOf(close, from);
    if (end <= from || end > state.posMax) continue;
    if (!silent) {
      const token = state.push(block ? 'math_block' : 'math_inline', 'code', 0);
      token.content = state.src.slice(from, end);
    }
    state.pos = end + close.length;
    return true;
  }
  return false;
});

// A formula on lines of its own: its lines are no headings and no lists.
md.block.ruler.before(
  'fence',
  'math',
  (state, startLine, endLine, silent) => {
    const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
    const mark = MARKS.find(([open, , block]) => block && state.src.startsWith(open, start));
    if (!mark || (state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
    const limit = state.eMarks[endLine - 1] ?? state.src.length;
    const end = state.src.indexOf(mark[1], start + 2);
    if (end < 0 || end > limit) return false;
    let line = startLine;
    while (line < endLine && (state.eMarks[line] ?? 0) < end + 2) line++;
    if (state.src.slice(end + 2, state.eMarks[line]).trim() !== '') return false;
    if (silent) return true;
    state.line = line + 1;
    const token = state.push('math_block', 'code', 0);
    token.block = true;
    token.content = state.src.slice(start + 2, end);
    token.map = [startLine, state.line];
    return true;
  },
  { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
);

md.renderer.rules['math_inline'] = (tokens, i) =>
  `<code class="math-inline">${escape(tokens[i]?.content ?? '')}</code>`;
md.renderer.rules['math_block'] = (tokens, i) =>
  `<code class="math-block">${escape(tokens[i]?.content ?? '')}</code>`;

// ---- what would load, navigate or carry a style ----

md.renderer.rules['image'] = (tokens, i) => {
  const token = tokens[i];
  const address = String(token?.attrGet('src') ?? '');
  const words = token?.content ? ` ${escape(token.content)}` : '';
  return `<span class="image">[image:${words} ${escape(address)}]</span>`;
};

md.renderer.rules['link_open'] = () => '<span class="link">';
md.renderer.rules['link_close'] = (tokens, i) => {
  let open = i;
  while (open > 0 && tokens[open]?.type !== 'link_open') open--;
  const address = String(tokens[open]?.attrGet('href') ?? '');
  const words = tokens.slice(open + 1, i).map((t) => t.content).join('');
  const known = words === address || `mailto:${words}` === address;
  return `</span>${known ? '' : `<span class="address"> (${escape(address)})</span>`}`;
};

for (const name of ['th_open', 'td_open']) {
  md.renderer.rules[name] = (tokens, i) => {
    const align = /text-align:(left|center|right)/.exec(String(tokens[i]?.attrGet('style') ?? ''));
    const tag = name.slice(0, 2);
    return align ? `<${tag} class="align-${align[1]}">` : `<${tag}>`;
  };
}

// Headings of models begin below ours.
const SHIFT = 2;
for (const name of ['heading_open', 'heading_close']) {
  md.renderer.rules[name] = (tokens, i) => {
    const level = Math.min(6, Number(tokens[i]?.tag.slice(1) ?? 1) + SHIFT);
    return name === 'heading_open' ? `<h${level}>` : `</h${level}>\n`;
  };
}

const PURIFY = {
  ALLOWED_TAGS: [
    'p', 'br', 'hr', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em',
    'strong', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'span',
  ],
  ALLOWED_ATTR: ['class', 'start'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true as const,
};

// ---- after the sanitiser ----

function fillMath(root: DocumentFragment): void {
  for (const code of root.querySelectorAll('code.math-inline, code.math-block')) {
    const math = setFormula?.(code.textContent ?? '', code.className === 'math-block');
    if (math) code.replaceWith(math);
  }
}

// The direction of what a text says first. Lists and quotes have their marks at that side;
// `auto` would not look into their items, which have a direction of their own.
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function directionOf(text: string): 'rtl' | 'ltr' {
  const letter = /\p{L}/u.exec(text);
  return letter && RIGHT_TO_LEFT.test(letter[0]) ? 'rtl' : 'ltr';
}

function setDirections(root: DocumentFragment): void {
  for (const box of root.querySelectorAll('ul, ol, blockquote'))
    box.setAttribute('dir', directionOf(box.textContent ?? ''));
  for (const block of root.querySelectorAll('p, li, h3, h4, h5, h6, th, td'))
    block.setAttribute('dir', 'auto');
  for (const code of root.querySelectorAll('pre, code')) code.setAttribute('dir', 'ltr');
}

// Blocks that scroll sideways can be reached by the keyboard.
function setScrolling(root: DocumentFragment): void {
  for (const pre of root.querySelectorAll('pre')) {
    pre.setAttribute('tabindex', '0');
    pre.setAttribute('role', 'region');
    pre.setAttribute('aria-label', 'code');
  }
  for (const table of root.querySelectorAll('table')) {
    const box = document.createElement('div');
    box.className = 'scroll';
    box.setAttribute('tabindex', '0');
    box.setAttribute('role', 'region');
    box.setAttribute('aria-label', 'table');
    table.replaceWith(box);
    box.append(table);
  }
}

// Throws where any step fails.
export function renderMarkdown(text: string): DocumentFragment {
  const root = DOMPurify.sanitize(md.render(text), PURIFY);
  fillMath(root);
  setDirections(root);
  setScrolling(root);
  return root;
}
