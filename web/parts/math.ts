// SPDX-License-Identifier: MIT
//
// Formulas for pages that fetch them when a text holds one (shared/load_parts.ts).
import { mathOf } from '../shared/math.ts';

(globalThis as { evenhandMath?: typeof mathOf }).evenhandMath = mathOf;
