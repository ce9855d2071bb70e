// SPDX-License-Identifier: MIT
//
// The labelling page in a browser, what it shows:  node label_looks.mjs EVENHAND
//
// Blinding, accessibility in every state, size, and hostile texts. Any console error,
// violation of the page's policy or request to elsewhere fails the test in which it
// happens.
import assert from 'node:assert/strict';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { axeFaults, check, findChromium, finish, launch, skipAll } from './browser.mjs';
import { hostileAnswers, hostileFiles, workshop } from './data.mjs';
import { Desk } from './desk.mjs';
import {
  heading, labelsOf, makeLedger, MODELS, NETWORK, press, read, saved, says, settle, text, using,
} from './label_common.mjs';

const [evenhand] = process.argv.slice(2);
if (!findChromium()) skipAll('there is no Chromium');
const shop = workshop(path.resolve(evenhand));
const browser = await launch();
const desk = (ledger, ...options) => new Desk(path.resolve(evenhand), ledger, options).start();

const ledger = makeLedger(shop, 'looks', 40);
const server = await desk(ledger, '--budget', '40', '--selection', 'random', '--annotators',
  'guard,axe,blind', '--labels-per-pair', '10', '--contact', 'ask@example.org');

// ---- blinding ----

await check('neither the network nor the page tells what must stay hidden', async () => {
  const bodies = [];
  await using(browser, server.links.blind, {
    before: (_, page) => page.on('response', (r) => {
      if (new URL(r.url()).pathname.startsWith('/api/')) bodies.push(r.text().catch(() => ''));
    }),
  }, async (page) => {
    const kept = [];
    for (const key of ['1', 'v', '0', 'r', 's', 'u']) {
      await press(page, key);
      kept.push(await page.content());
    }
    await page.keyboard.press('h');
    await says(page, 'Question number', 'dialog');
    kept.push(await page.content());
    kept.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])));
    const all = [...(await Promise.all(bodies)), ...kept].join('\n');
    assert.ok(bodies.length > 5 && all.includes('Question number'));
    for (const secret of [...MODELS, 'secret-id', 'hidden-category', '424242', 'answer_1', 'answer_2',
      'bpde', 'p_select', 'kappa', '"side"', '"verdict":', 'guard'])
      assert.ok(!all.includes(secret), `told: ${secret}`);
    // A and B are drawn alike
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.waitForTimeout(100);
    const sides = await page.locator('.answer-side').evaluateAll((all) => all.map((s) => {
      const style = getComputedStyle(s.querySelector('.text'));
      const box = s.querySelector('.answer-body').getBoundingClientRect();
      return [Math.round(box.top), Math.round(box.width), style.fontSize, style.color, style.backgroundColor];
    }));
    assert.deepEqual(sides[0], sides[1]);
  });
});

// ---- states, and axe in each ----

async function clean(page, where) {
  await page.waitForTimeout(120); // colours of buttons fade in
  assert.deepEqual(await axeFaults(page), [], where);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${where}: ${over} pixels sideways`);
}

for (const [name, options] of [
  ['wide', {}],
  ['1024 and dark', { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ['320 wide', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
])
  await check(`no serious fault for axe, nothing sideways: ${name}`, () =>
    using(browser, server.links.axe, { ...options, expects: NETWORK }, async (page, { context }) => {
      await settle(page);
      await clean(page, 'first visit');
      const bar = await page.locator('.verdict-bar').boundingBox();
      const { height, width } = page.viewportSize();
      if (width >= 1024) assert.ok(bar.height <= 0.15 * height, `the bar is ${bar.height} high`);
      await page.keyboard.press('0');
      await saved(page);
      for (const [key, where] of [['v', 'aligned'], ['r', 'raw'], ['r', 'plain'], ['m', 'note']]) {
        await page.keyboard.press(key);
        await page.waitForTimeout(100);
        await clean(page, where);
      }
      await page.keyboard.press('Escape');
      for (const key of ['?', 'h']) {
        await page.keyboard.press(key);
        await page.locator('dialog[open]').waitFor();
        await clean(page, `dialog ${key}`);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      await page.keyboard.press('u');
      await heading(page, 'A pair you decided');
      await clean(page, 'undo');
      await page.keyboard.press('Escape');
      await context.setOffline(true);
      await press(page, '1');
      await says(page, 'No connection. 1 label waits in this browser. Go on; 4 more pairs are loaded.', '.lines');
      await says(page, '1 not sent', '.saved');
      await clean(page, 'offline');
      await context.setOffline(false);
      await saved(page);
      await page.locator('.line').waitFor({ state: 'detached' });
      // the last line of the page is not under the bar
      const hidden = await page.evaluate(() => {
        scrollTo(0, 1e6);
        const last = [...document.querySelectorAll('.answer-body .text')].at(-1).getBoundingClientRect();
        return last.bottom - document.querySelector('.verdict-bar').getBoundingClientRect().top;
      });
      assert.ok(hidden <= 0 || height < 480, `${hidden} pixels under the bar`);
    }));

await check('the first pair needs neither formulas nor highlighting: 100 kB of script, gzip', async () => {
  const names = [];
  await using(browser, server.links.axe, {
    before: (_, page) => page.on('request', (r) => names.push(new URL(r.url()).pathname)),
  }, (page) => settle(page));
  assert.deepEqual(names.filter((n) => n.endsWith('.js')), ['/assets/label.js']);
  const script = Buffer.from(await (await fetch(`${server.origin}/assets/label.js`)).arrayBuffer());
  const size = gzipSync(script, { level: 9 }).length;
  assert.ok(size <= 100_000, `${size} bytes`);
});
await server.stop();

await check('states: changed instructions, paused, skipped once more, done, nothing yet, a bad link', async () => {
  const file = makeLedger(shop, 'states', 4);
  const small = await desk(file, '--budget', '4', '--selection', 'random', '--annotators', 'ann,bob',
    '--contact', 'ask@example.org');
  try {
    await using(browser, small.links.ann, { expects: /500/ }, async (page) => {
      await settle(page);
      const first = await read(page);
      await small.owner('/api/owner/instructions', { text: 'Be **kind** and \\(x^2\\).' });
      await page.keyboard.press('s'); // with the answer the page learns of it
      await saved(page);
      await press(page, '0');
      await heading(page, 'The instructions have changed');
      await says(page, 'Be kind', 'main');
      assert.equal(await page.locator('main math').count(), 1);
      await clean(page, 'changed instructions');
      await page.keyboard.press('1'); // nothing yet
      await page.keyboard.press('Enter');
      await settle(page);
      await page.route('**/api/label', (r) => r.fulfill({ status: 500, body: '{}' }));
      await page.keyboard.press('1');
      await says(page, 'The server answered 500. 1 label waits in this browser and will be sent again.', '.lines');
      await clean(page, 'error');
      await page.unroute('**/api/label');
      await saved(page);
      await small.owner('/api/owner/pause', { paused: true });
      await press(page, '2');
      await heading(page, 'The owner has paused the labelling.');
      await clean(page, 'paused');
      await small.owner('/api/owner/pause', { paused: false });
      await page.getByRole('button', { name: 'Look for new pairs' }).click();
      await heading(page, 'A pair you skipped');
      assert.equal((await read(page)).n, first.n);
      await clean(page, 'skipped before');
      await press(page, 's'); // for good
      await heading(page, 'All 3 done. Thank you.');
      await says(page, '1 pair skipped: look at it again?', 'main');
      await clean(page, 'done');
      await page.getByRole('button', { name: 'Look for new pairs' }).click();
      await page.waitForTimeout(200);
      assert.equal(await page.locator('#pair').count(), 0, 'it comes back once');
      await page.getByRole('button', { name: 'Look at skipped pairs' }).click();
      await page.locator('.row-button').first().click();
      await heading(page, 'A pair you decided');
      await press(page, '0');
      await heading(page, 'All 4 done. Thank you.');
      await saved(page);
    });
    assert.equal(labelsOf(shop, file).length, 4);
    await using(browser, small.links.bob, {}, async (page) => {
      await heading(page, 'Nothing to label for you yet.');
      await says(page, 'ask@example.org', 'main');
      await clean(page, 'nothing');
    });
    await using(browser, small.origin, { expects: /401/ }, async (page) => {
      await heading(page, 'This link is not valid.');
      await says(page, 'Ask the owner for a new one.', 'main');
      await clean(page, 'bad link');
    });
  } finally {
    await small.stop();
  }
});

// ---- hostile texts ----

await check('hostile texts are harmless, in every view; long ones come in slices', async () => {
  hostileFiles(shop);
  const evil = '<img src=x onerror="globalThis.pwned=1"><script>globalThis.pwned=1</script>';
  const n = Object.keys(hostileAnswers).length;
  const bad = await desk(shop.at('hostile.db'), '--budget', String(n), '--selection', 'random', '--annotators',
    'ann', '--contact', evil);
  try {
    await bad.owner('/api/owner/instructions', { text: `${evil} ![x](https://evil.example/p.png)` });
    await using(browser, bad.links.ann, {}, async (page) => {
      let math = 0, identical = 0, sliced = 0, highlighted = 0, empty = 0, rtl = 0;
      const harmless = async (where) => {
        const found = await page.evaluate(() => ({
          pwned: globalThis.pwned ?? null,
          nodes: document.querySelectorAll(
            '#app script, #app img, #app iframe, #app form, #app [style], #app [onclick], #app [onerror], main a[href]:not(.jump)').length,
        }));
        assert.deepEqual(found, { pwned: null, nodes: 0 }, where);
      };
      for (let i = 0; i < n; i++) {
        await page.locator('#pair').waitFor();
        math += await page.locator('.answer-body math').count();
        identical += await page.locator('.same').count();
        highlighted += await page.locator('.answer-body .hljs-keyword').count();
        // marks of lists that run from right to left stand within their column
        for (const list of await page.locator('.answer-body ul[dir="rtl"]').all()) {
          rtl++;
          assert.ok(await list.evaluate((l) => parseFloat(getComputedStyle(l).paddingRight) > 20));
        }
        empty += await page.getByText('(This answer is empty.)').count();
        const slice = page.getByRole('button', { name: /^Show the next 50,000/ });
        if (await slice.count()) {
          sliced++;
          assert.match(await text(page, '.answer-body .note'), /50,000 of 280,000 characters are shown/);
          await slice.first().click();
          await says(page, '100,000 of 280,000', 'main');
        }
        await harmless(`pair ${i}`);
        for (const key of ['r', 'r', 'v', 'v']) {
          await page.keyboard.press(key);
          await page.waitForTimeout(40);
          await harmless(`pair ${i}, ${key}`);
        }
        await settle(page);
        await page.keyboard.press('m');
        await page.keyboard.insertText(evil);
        await page.keyboard.press('Control+Enter');
        await page.keyboard.press('1');
        await page.waitForFunction((at) => !document.querySelector('h1').textContent.startsWith(`Pair ${at} `), i + 1);
      }
      await heading(page, `All ${n} done.`);
      await harmless('done');
      await page.keyboard.press('h');
      await says(page, 'with a note', 'dialog');
      await harmless('history');
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('u');
      await page.locator('#pair').waitFor();
      await page.keyboard.press('m');
      assert.equal(await page.locator('#note-text').inputValue(), evil);
      assert.ok(math > 0 && identical > 0 && sliced > 0 && highlighted > 0 && empty > 0 && rtl > 0,
        JSON.stringify({ math, identical, sliced, highlighted, empty, rtl }));
    });
  } finally {
    await bad.stop();
  }
});

await browser.close();
shop.remove();
finish();
process.exit(); // whatever a failed test left running
