// SPDX-License-Identifier: MIT
//
// How a page that is one file begins: unpack, draw, and say in the plain part what went
// wrong where that fails.
import { type ComponentChild, render } from 'preact';
import { highlightCode } from './code.ts';
import { setHighlight, setMath } from './markdown.ts';
import { mathOf } from './math.ts';
import { canUnpack } from './unpack.ts';

function say(text: string): void {
  const line = document.createElement('p');
  line.className = 'blank';
  line.setAttribute('role', 'alert');
  line.textContent = text;
  document.getElementById('plain')?.append(line);
}

// Everything that is folded (and matches) is unfolded for print, and folded again.
function unfoldForPrint(folded: string): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>(folded)];
    for (const d of opened) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of opened) d.open = false;
  });
}

async function start(load: () => Promise<ComponentChild>, folded: string): Promise<void> {
  if (!canUnpack()) {
    say('This browser is too old for charts and single pairs (it has no DecompressionStream).');
    return;
  }
  history.scrollRestoration = 'manual';
  setMath(mathOf);
  setHighlight(highlightCode);
  const page = await load();
  const app = document.getElementById('app');
  if (app) render(page, app);
  unfoldForPrint(folded);
  document.documentElement.dataset['ready'] = 'yes';
  performance.mark('report-ready');
}

export function begin(load: () => Promise<ComponentChild>, folded: string): void {
  start(load, folded).catch((e: unknown) => say(`This file cannot be shown in full: ${String(e)}`));
}
