// SPDX-License-Identifier: MIT
//
// Fetches what sets formulas and what highlights code, for served pages: most texts need
// neither.
import {
  type Highlight, lacksHighlight, lacksMath, type SetFormula, setHighlight, setMath,
} from './markdown.ts';

const MOST_MS = 5000;
const given = globalThis as { evenhandMath?: SetFormula; evenhandCode?: Highlight };
const loading = new Map<string, Promise<void>>();

function load(name: string): Promise<void> {
  const known = loading.get(name);
  if (known) return known;
  const loaded = new Promise<void>((done) => {
    const script = document.createElement('script');
    script.src = `/assets/${name}.js`;
    script.onload = () => done();
    script.onerror = () => {
      script.remove();
      loading.delete(name); // another text may try again
      done();
    };
    setTimeout(done, MOST_MS);
    document.head.append(script);
  });
  loading.set(name, loaded);
  return loaded;
}

// Resolves when the texts can be rendered. Without a connection formulas and code stay as
// they were written.
export async function partsFor(texts: string[]): Promise<void> {
  const wanted: Promise<void>[] = [];
  if (texts.some(lacksMath)) wanted.push(load('math'));
  if (texts.some(lacksHighlight)) wanted.push(load('code'));
  await Promise.all(wanted);
  if (given.evenhandMath) setMath(given.evenhandMath);
  if (given.evenhandCode) setHighlight(given.evenhandCode);
}
