// SPDX-License-Identifier: MIT
//
// How fast a report of 10,000 pairs is made and opens:  node speed.mjs EVENHAND [PAIRS]
//
// Texts are made up, of the size of JudgeBench's (4.4 kB a pair) and with as little
// repetition as prose; the judge is simulated, in both orders. Times are of this machine:
// nothing is asserted.
import path from 'node:path';
import { findChromium, launch, openFile } from './browser.mjs';
import { workshop } from './data.mjs';

const [evenhand, count] = process.argv.slice(2);
const n = Number(count ?? 10_000);
if (!findChromium()) {
  console.log('skipped: there is no Chromium');
  process.exit(77);
}
const shop = workshop(path.resolve(evenhand));

let state = 1;
const random = () => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state / 2147483648;
};
const SOUNDS = 'ba ke lo mi nu ra se ti vo wa xi ya zu che dri fla gno pre spo tru'.split(' ');
const word = () => Array.from({ length: 1 + Math.floor(random() * 4) }, () => SOUNDS[Math.floor(random() * SOUNDS.length)]).join('');
const WORDS = Array.from({ length: 8000 }, word);
const prose = (chars) => {
  let out = '';
  while (out.length < chars) out += `${WORDS[Math.floor(WORDS.length * random() ** 2)]}${random() < 0.08 ? '.\n' : ' '}`;
  return out;
};
const started = performance.now();
const ms = () => `${Math.round(performance.now() - started)} ms`;
shop.lines('big.jsonl', Array.from({ length: n }, (_, i) => ({
  id: `pair-${i}`, question: prose(600), answer_1: prose(1900), answer_2: prose(1900),
  model_1: 'a', model_2: 'b', category: `group ${i % 20}`,
})));
console.log(`data made after ${ms()}`);
shop.run('run', 'big.jsonl', '-j', 'sim:first=1,noise=1', '-m', 'mec+bpc', '-k', '3', '-o', 'big.db', '-q');
console.log(`judged after ${ms()}`);
const before = performance.now();
process.stdout.write(shop.run('report', 'big.db', '-o', 'big.html'));
console.log(`report made in ${Math.round(performance.now() - before)} ms`);

const browser = await launch();
for (let round = 0; round < 3; round++) {
  const { context, page, faults } = await openFile(browser, shop.at('big.html'));
  const times = await page.evaluate(() => {
    const ready = performance.getEntriesByName('report-ready')[0].startTime;
    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
    return { ready: Math.round(ready), paint: Math.round(paint ?? -1), heap: Math.round(performance.memory.usedJSHeapSize / 1e6) };
  });
  await page.evaluate(() => new Promise((done) => {
    if (document.readyState === 'complete') done();
    else addEventListener('load', () => done());
  }));
  const opened = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector('table.pairs tbody a').click();
    while (!document.querySelector('#pair .said')) await new Promise((r) => requestAnimationFrame(r));
    return Math.round(performance.now() - start);
  });
  await page.getByRole('link', { name: 'Back to the list' }).click();
  const sorted = await page.evaluate(async () => {
    const start = performance.now();
    [...document.querySelectorAll('table.pairs thead button')].find((b) => b.textContent.startsWith('BPDE')).click();
    await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
    return Math.round(performance.now() - start);
  });
  console.log(
    `opened: first paint ${times.paint} ms, ready ${times.ready} ms, heap ${times.heap} MB; ` +
      `first pair ${opened} ms; sorting ${sorted} ms; faults ${(await faults()).length}`,
  );
  await context.close();
}
await browser.close();
shop.remove();
