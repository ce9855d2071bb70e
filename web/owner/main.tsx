// SPDX-License-Identifier: MIT
//
// The owner's page: how people work, how far they agree, and where they differ.
import { render } from 'preact';
import { App } from './app.tsx';
import { watch } from './state.ts';

const app = document.getElementById('app');
if (app) render(<App />, app);
watch();
document.documentElement.dataset['ready'] = 'yes';
