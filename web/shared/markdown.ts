// SPDX-License-Identifier: MIT
//
// Model text as a person reads it. The text is hostile until shown otherwise:
//
//   text --markdown-it, raw HTML off--> HTML --DOMPurify, short list--> nodes
//                                                        `-- math put in as MathML
//
// Nothing of it loads or navigates: an image is its description and address, a link its
// text and address. No style attribute reaches a parser, since a strict policy reports
// each. Math stands only in $$..$$, \[..\] and \(..\): a single $ is usually money.
// Whatever fails, the caller shows the raw text.
import DOMPurify from 'dompurify';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import katex from 'katex';
import MarkdownIt from 'markdown-it';

const languages = {
  bash, c, cpp, csharp, css, go, java, javascript, json, python, rust, sql, typescript, xml, yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

const MAX_CODE_LINES = 2000;

function highlight(code: string, info: string): string {
  const name = info.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  if (!hljs.getLanguage(name) || code.split('\n').length > MAX_CODE_LINES) return '';
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}

const md = new MarkdownIt({ html: false, linkify: false, highlight });
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

interface Policy {
  createHTML(text: string): string;
}
const factory = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes;
const passed: Policy = { createHTML: (text) => text };
const policy = factory ? factory.createPolicy('evenhand', passed) : passed;

// MathML of a formula, or null where KaTeX refuses it. KaTeX escapes what it writes; the
// walk over its nodes is a second wall.
function mathOf(tex: string, displayMode: boolean): Element | null {
  let html: string;
  try {
    html = katex.renderToString(tex, {
      output: 'mathml', displayMode, throwOnError: true, trust: false, maxSize: 20, maxExpand: 200,
      strict: false,
    });
  } catch {
    return null;
  }
  const holder = document.createElement('template');
  holder.innerHTML = policy.createHTML(html.replace(/ style="[^"]*"/g, ''));
  const math = holder.content.querySelector('math');
  if (!math) return null;
  for (const node of [math, ...math.querySelectorAll('*')]) {
    if (node.localName === 'annotation' || node.namespaceURI !== math.namespaceURI) node.remove();
    for (const { name } of [...node.attributes])
      if (/^on|href|src|style/i.test(name)) node.removeAttribute(name);
  }
  return document.importNode(math, true);
}

function fillMath(root: DocumentFragment): void {
  for (const code of root.querySelectorAll('code.math-inline, code.math-block')) {
    const math = mathOf(code.textContent ?? '', code.className === 'math-block');
    if (math) code.replaceWith(math);
  }
}

function setDirections(root: DocumentFragment): void {
  for (const block of root.querySelectorAll('p, li, h3, h4, h5, h6, th, td, blockquote'))
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
