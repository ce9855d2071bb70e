// SPDX-License-Identifier: MIT
//
// The labelling page: draws itself, then asks who is there and what is to be done. Until
// the server answers it is asked again, ever more slowly.
import { render } from 'preact';
import { App } from './app.tsx';
import { start } from './intake.ts';
import { listenToKeys } from './keys.ts';
import { trouble } from './outbox.ts';
import { saveDraft } from './session.ts';
import { watch } from './timing.ts';

const MOST_MS = 8000;

async function begin(delay: number): Promise<void> {
  if ((await start()) || trouble.value?.kind === 'token') return;
  setTimeout(() => void begin(Math.min(MOST_MS, 2 * delay)), delay);
}

history.scrollRestoration = 'manual';
const app = document.getElementById('app');
if (app) render(<App />, app);
watch();
listenToKeys();
addEventListener('pagehide', saveDraft);
void begin(500);
document.documentElement.dataset['ready'] = 'yes';
