// SPDX-License-Identifier: MIT
//
// Reads the index and draws the page. Until then, and where that fails, the page shows
// what the command wrote as plain HTML.
import { render } from 'preact';
import { highlightCode } from '../shared/code.ts';
import { setHighlight, setMath } from '../shared/markdown.ts';
import { mathOf } from '../shared/math.ts';
import { App } from './app.tsx';
import { canUnpack, loadIndex } from './data.ts';
import { index } from './state.ts';

function say(text: string): void {
  const line = document.createElement('p');
  line.className = 'blank';
  line.setAttribute('role', 'alert');
  line.textContent = text;
  document.getElementById('plain')?.append(line);
}

// Everything that is folded is unfolded for print, and folded again.
function unfoldForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')].filter(
      (d) => !d.matches('.filters, .method details'),
    );
    for (const d of opened) d.open = true;
  });
  addEventListener('afterprint', () => {
    for (const d of opened) d.open = false;
  });
}

async function start(): Promise<void> {
  if (!canUnpack()) {
    say('This browser is too old for charts and single pairs (it has no DecompressionStream).');
    return;
  }
  history.scrollRestoration = 'manual';
  setMath(mathOf);
  setHighlight(highlightCode);
  index.value = await loadIndex();
  const app = document.getElementById('app');
  if (app) render(<App />, app);
  unfoldForPrint();
  document.documentElement.dataset['ready'] = 'yes';
  performance.mark('report-ready');
}

start().catch((e: unknown) => say(`This file cannot be shown in full: ${String(e)}`));
