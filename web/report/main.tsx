// SPDX-License-Identifier: MIT
//
// Reads the index and draws the page. Until then, and where that fails, the page shows
// what the command wrote as plain HTML.
import { begin } from '../shared/begin.tsx';
import { App } from './app.tsx';
import { loadIndex } from './data.ts';
import { index } from './state.ts';

begin(async () => {
  index.value = await loadIndex();
  return <App />;
}, 'main details:not([open]):not(.filters):not(.method details)');
