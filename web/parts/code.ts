// SPDX-License-Identifier: MIT
//
// Highlighting for pages that fetch it when a text holds code (shared/load_parts.ts).
import { highlightCode } from '../shared/code.ts';

(globalThis as { evenhandCode?: typeof highlightCode }).evenhandCode = highlightCode;
