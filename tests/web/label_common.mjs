// SPDX-License-Identifier: MIT
//
// What the tests of the labelling page share: data whose right answer is in the texts, and
// a person who reads the page and presses keys.
import assert from 'node:assert/strict';
import { openServed } from './browser.mjs';

export const MODELS = ['Zebrafish-7B', 'quagga/Quagga-2'];
export const GUARD_MS = 400;
// What a browser says of a connection that is lost on purpose.
export const NETWORK = /Failed to load resource|ERR_/;

// n pairs; answer_1 says Alpha, answer_2 Beta.
export function makeLedger(shop, name, n, members = {}) {
  shop.lines(`${name}.jsonl`, Array.from({ length: n }, (_, i) => ({
    id: `secret-id-${i}`,
    question: `Question number ${i}?`,
    answer_1: `Alpha ${i}. It is first of all a matter of taste.\n\nThen of **cost**.`,
    answer_2: `Beta ${i}. It is a matter of taste, first of all.\n\nCost comes after that.`,
    model_1: MODELS[0],
    model_2: MODELS[1],
    category: 'hidden-category',
    ...members,
  })));
  shop.run('run', shop.at(`${name}.jsonl`), '-j', 'sim:first=1,noise=1,seed=424242', '-q', '-o', `${name}.db`);
  return shop.at(`${name}.db`);
}

export const labelsOf = (shop, ledger) =>
  shop.run('labels', ledger, 'export', '-').trim().split('\n').filter(Boolean).map((l) => JSON.parse(l));

// Opens a person's link, hands over the page, and asserts that nothing went wrong.
export async function using(browser, link, options, use) {
  const opened = await openServed(browser, link, { leaves: true, ...options });
  try {
    await use(opened.page, opened);
    assert.deepEqual(await opened.faults(), []);
  } finally {
    await opened.context.close();
  }
}

export const text = (page, selector) => page.locator(selector).first().innerText();

// What is on the page: the number of the pair and the side on which Alpha stands.
export async function read(page) {
  await page.locator('#pair').waitFor();
  return page.evaluate(() => {
    const words = (selector) => document.querySelector(selector)?.textContent ?? '';
    const a = words('[data-depth="a"]');
    return {
      n: Number(/number (\d+)/.exec(words('.question-text'))?.[1]),
      side: a.startsWith('Alpha') ? '12' : '21',
      head: words('h1'),
    };
  });
}

// Past the time in which a double press does nothing.
export async function settle(page) {
  await page.locator('#pair').waitFor();
  await page.waitForTimeout(GUARD_MS + 120);
}

export async function press(page, key) {
  await settle(page);
  await page.keyboard.press(key);
}

export const saved = (page) =>
  page.waitForFunction(() => document.querySelector('.saved')?.textContent.includes('All saved'), null,
    { timeout: 30_000 });

export const says = (page, words, selector = '#app') =>
  page.waitForFunction(([s, w]) => document.querySelector(s)?.textContent.includes(w), [selector, words],
    { timeout: 20_000 });

export const heading = (page, words) => says(page, words, 'h1');

// The key by which a verdict on the answers is given, wherever they stand.
export function keyOf(verdict, side) {
  if (verdict === 'tie') return '0';
  return (verdict === '1') === (side === '12') ? '1' : '2';
}

// Decides pairs by `verdict(n)` until `until(count, read)` says so or none is left. Returns
// what was seen and decided: n -> {side, verdict}.
export async function work(page, verdict, seen, until = () => false) {
  for (;;) {
    await page.locator('#pair, main.message h1').first().waitFor();
    if (!(await page.locator('#pair').count())) {
      const head = await page.locator('main.message h1').innerText().catch(() => '');
      if (/done|thank/i.test(head)) return seen;
      await page.waitForTimeout(50); // loading, or no connection
      if (until(seen.size, null)) return seen;
      continue;
    }
    const now = await read(page);
    if (until(seen.size, now)) return seen;
    await settle(page);
    await page.keyboard.press(keyOf(verdict(now.n), now.side));
    seen.set(now.n, { side: now.side, verdict: verdict(now.n) });
    await page.waitForFunction(
      (n) => !document.querySelector('.question-text')?.textContent.includes(`number ${n}?`), now.n);
  }
}
