// SPDX-License-Identifier: MIT
//
// Reading the packed parts of a page that is one file: gzip in base64, in script elements
// that are not scripts. Written by src/page/pack.c and src/page/chunks.c; nothing is
// fetched.

export function canUnpack(): boolean {
  return typeof DecompressionStream === 'function';
}

export async function unpack(id: string): Promise<unknown> {
  const element = document.getElementById(id);
  if (!element) throw new Error(`this file has no part ${id}; it may be cut short`);
  const packed = atob(element.textContent ?? '');
  const bytes = Uint8Array.from(packed, (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

// The script stands before the chunks: they may still be on their way.
function parsed(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve();
  return new Promise((done) =>
    document.addEventListener('DOMContentLoaded', () => done(), { once: true }),
  );
}

const KEPT = 4; // chunks in memory: texts and replies of two neighbours
const kept = new Map<string, Promise<unknown[]>>();

function chunk(id: string): Promise<unknown[]> {
  let found = kept.get(id);
  if (found) {
    kept.delete(id);
  } else {
    found = parsed().then(() => unpack(id) as Promise<unknown[]>);
  }
  kept.set(id, found); // last in, last out
  for (const old of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(old);
  }
  return found;
}

// The chunk that holds a place, and where in it.
export function findPlace(chunks: number[], place: number): { chunk: number; at: number } {
  let low = 0;
  let high = chunks.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((chunks[middle] ?? 0) <= place) low = middle;
    else high = middle;
  }
  return { chunk: low, at: place - (chunks[low] ?? 0) };
}

// What kind `kind` of a chunk has at a place; null where the file has no place for it.
export async function itemAt<T>(chunks: number[], place: number, kind: number): Promise<T | null> {
  if (place < 0) return null;
  const { chunk: c, at } = findPlace(chunks, place);
  return ((await chunk(`c${c}-${kind}`))[at] as T) ?? null;
}
