// SPDX-License-Identifier: MIT
//
// The labelling page in a browser, at work:  node label.mjs EVENHAND
//
// People use it as people do, by keyboard; the ledger is then read by the command. Any
// console error, violation of the page's policy or request to elsewhere fails the test in
// which it happens. EVENHAND_OFFLINE_S says for how many seconds a connection is lost.
import assert from 'node:assert/strict';
import path from 'node:path';
import { axeFaults, check, findChromium, finish, launch, openServed, skipAll } from './browser.mjs';
import { workshop } from './data.mjs';
import { Desk } from './desk.mjs';
import {
  heading, labelsOf, makeLedger, NETWORK, press, read, saved, says, settle, text, using, work,
} from './label_common.mjs';

const [evenhand] = process.argv.slice(2);
if (!findChromium()) skipAll('there is no Chromium');
const OFFLINE_S = Number(process.env.EVENHAND_OFFLINE_S ?? 2);
const shop = workshop(path.resolve(evenhand));
const browser = await launch();
const desk = (ledger, ...options) => new Desk(path.resolve(evenhand), ledger, options).start();

// ---- a team at work, with everything that goes wrong ----

// Fleiss' kappa of rows of counts, as the paper of 1971 has it.
function fleiss(rows) {
  const raters = rows[0].reduce((a, b) => a + b);
  const shares = rows[0].map((_, k) => rows.reduce((s, r) => s + r[k], 0) / (rows.length * raters));
  const byChance = shares.reduce((s, p) => s + p * p, 0);
  const observed = rows.reduce((s, r) =>
    s + (r.reduce((t, c) => t + c * c, 0) - raters) / (raters * (raters - 1)), 0) / rows.length;
  return (observed - byChance) / (1 - byChance);
}

await check('three people, a reload, a lost connection, kill -9: every label once, kappa right', async () => {
  const ledger = makeLedger(shop, 'team', 30);
  const names = ['ann', 'bob', 'cy'];
  const server = await desk(ledger, '--budget', '30', '--selection', 'random', '--labels-per-pair', '3',
    '--annotators', names.join());
  const verdictOf = (name) => (n) => {
    const draw = (n * 7 + (n * n) % 5 + (n % 4 === 0 ? names.indexOf(name) * 3 : 0)) % 7;
    return draw < 3 ? '1' : draw < 5 ? '2' : 'tie';
  };
  const people = [];
  for (const name of names)
    people.push({ name, seen: new Map(), ...(await openServed(browser, server.links[name], { leaves: true, expects: NETWORK })) });
  const [ann, bob, cy] = people;
  const go = (p, until) => work(p.page, verdictOf(p.name), p.seen, until);

  const annWorks = async () => {
    await go(ann, (count) => count >= 10);
    const before = await read(ann.page);
    await ann.page.reload();
    await ann.page.locator('#pair').waitFor();
    assert.deepEqual(await read(ann.page), before, 'the same pair, the same sides, after a reload');
    await go(ann);
  };
  const bobWorks = async () => {
    await go(bob, (count) => count >= 8);
    await bob.context.setOffline(true);
    const lost = Date.now();
    const loaded = bob.seen.size;
    const gone = () => Date.now() - lost > OFFLINE_S * 1000;
    await go(bob, (count, now) => gone() || count >= loaded + 3 && !now);
    if (!gone()) {
      assert.match(await text(bob.page, '.lines [role=alert]'),
        /No connection\. \d+ labels wait in this browser\. No more pairs are loaded/);
      await bob.page.waitForTimeout(OFFLINE_S * 1000 - (Date.now() - lost));
    }
    assert.ok(bob.seen.size > loaded, 'he went on without a connection');
    await bob.context.setOffline(false);
    await go(bob);
  };
  const cyWorks = async () => {
    await go(cy, (count) => count >= 15);
    await server.kill();
    const loaded = cy.seen.size;
    await go(cy, (count) => count >= loaded + 2);
    await says(cy.page, 'No connection.', '.lines');
    await server.start();
    await go(cy);
  };
  await Promise.all([annWorks(), bobWorks(), cyWorks()]);
  for (const p of people) {
    await saved(p.page);
    await heading(p.page, 'All 30 done. Thank you.');
    assert.deepEqual(await p.faults(), []);
  }
  const { agreement } = await server.owner('/api/owner/state');
  const labels = labelsOf(shop, ledger);
  for (const p of people) await p.context.close();
  await server.stop();

  assert.equal(labels.length, 90);
  assert.equal(new Set(labels.map((l) => `${l.pair_id} ${l.annotator}`)).size, 90);
  for (const l of labels) {
    const p = people.find(({ name }) => name === l.annotator);
    const n = Number(l.pair_id.replace('secret-id-', ''));
    assert.deepEqual({ side: l.side, verdict: l.label }, p.seen.get(n), `${l.pair_id} by ${l.annotator}`);
  }
  const rows = Array.from({ length: 30 }, (_, n) =>
    ['1', '2', 'tie'].map((v) => names.filter((name) => verdictOf(name)(n) === v).length));
  const kappa = fleiss(rows);
  assert.ok(kappa > 0.3 && kappa < 0.99, `a kappa that says something: ${kappa}`);
  assert.equal(agreement.measure, 'fleiss');
  assert.ok(Math.abs(agreement.value - kappa) < 1e-9, `${agreement.value}, computed here ${kappa}`);
});

// ---- one person ----

const ledger = makeLedger(shop, 'one', 40);
const server = await desk(ledger, '--budget', '40', '--selection', 'random', '--annotators',
  'keys,tabs,undo,guard,full,note,other', '--labels-per-pair', '10', '--contact', 'ask@example.org');

await check('every key of the sheet does what the sheet says', () =>
  using(browser, server.links.keys, { viewport: { width: 1440, height: 400 } }, async (page) => {
    const pressed = (action) => page.locator(`[data-action="${action}"]`).first().getAttribute('aria-pressed');
    const isPressed = (action, wanted) => page.waitForFunction(([a, w]) =>
      document.querySelector(`[data-action="${a}"]`)?.getAttribute('aria-pressed') === w, [action, wanted]);
    const decides = (key, words) => async () => {
      const before = await read(page);
      await press(page, key);
      await says(page, `Saved: ${words}`, '.said');
      assert.notEqual((await read(page)).n, before.n);
    };
    const press_ = (key) => page.keyboard.press(key);
    const tops = () => page.locator('.answer-body').evaluateAll((all) => all.map((b) => b.scrollTop));
    const does = {
      1: decides('1', 'A is better'),
      2: decides('2', 'B is better'),
      0: decides('0', 'Tie'),
      S: decides('s', 'Skipped'),
      N: async () => {
        await settle(page);
        await press_('n');
        await isPressed('unfamiliar', 'true');
        await decides('1', 'A is better, topic not familiar')();
        assert.equal(await pressed('unfamiliar'), 'false');
      },
      U: async () => {
        await press_('u');
        await heading(page, 'A pair you decided');
        assert.equal(await pressed('a'), 'true');
      },
      Esc: async () => {
        await press_('Escape');
        await says(page, 'Kept: A is better', '.said');
        await heading(page, 'Pair ');
      },
      M: async () => {
        await press_('m');
        await page.waitForFunction(() => document.activeElement?.id === 'note-text');
        await page.keyboard.type('1 2 0 s');
      },
      'In a note: leave it as a draft': async () => {
        await press_('Escape');
        await page.locator('#note-text').waitFor({ state: 'detached' });
        await says(page, 'Note not kept', '[data-action="note"]');
        await press_('m');
        assert.equal(await page.locator('#note-text').inputValue(), '1 2 0 s');
      },
      'Ctrl+Enter': async () => {
        await press_('Control+Enter');
        await says(page, 'Note kept', '[data-action="note"]');
      },
      V: async () => {
        await press_('v');
        await page.locator('.aligned').nth(1).waitFor();
        await press_('v');
        await page.locator('.aligned').first().waitFor({ state: 'detached' });
      },
      R: async () => {
        await press_('r');
        await page.locator('.answer-body .raw').nth(1).waitFor();
        await press_('r');
        await page.locator('.raw').first().waitFor({ state: 'detached' });
      },
      Y: async () => {
        await press_('y');
        await page.locator('.sides.apart').waitFor();
      },
      'Shift+Y': async () => {
        await page.locator('.answer-body').first().evaluate((b) => { b.style.height = '40px'; b.style.minHeight = '0'; });
        await page.locator('.answer-body').last().evaluate((b) => { b.style.height = '40px'; b.style.minHeight = '0'; });
        await page.locator('.answer-body').first().evaluate((b) => { b.scrollTop = 1e6; });
        await page.waitForTimeout(100);
        await press_('Shift+Y');
        const [a, b] = await tops();
        assert.ok(a > 0 && b > 0, `${a} ${b}`);
        await press_('y');
        await page.locator('.sides.apart').waitFor({ state: 'detached' });
      },
      I: async () => {
        const folded = () => page.locator('[data-action="instructions"]').getAttribute('aria-expanded');
        assert.equal(await folded(), 'false');
        await press_('i');
        await says(page, 'Look at what', '.instructions');
        await press_('i');
        await page.locator('.instructions .first-line').waitFor();
      },
      H: async () => {
        await press_('h');
        await says(page, 'Question number', 'dialog');
        const rows = await page.locator('.row-button .choice').allInnerTexts();
        assert.deepEqual(rows, ['A is better, topic not familiar', 'Skipped', 'Tie', 'B is better', 'A is better']);
        await press_('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      },
      '?': async () => {
        await press_('?');
        await page.locator('.keys-table').waitFor();
        await press_('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      },
    };
    await settle(page);
    await page.keyboard.press('?');
    const sheet = await page.locator('.keys-table tr').evaluateAll((all) =>
      all.map((r) => [r.children[0].textContent, r.children[1].textContent]));
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    const wanted = sheet.map(([key, words]) => (key === 'Esc' && words.startsWith('In a note') ? words : key));
    assert.deepEqual([...wanted].sort(), Object.keys(does).sort());
    for (const key of ['1', '2', '0', 'S', 'N', 'U', 'Esc', 'M', 'In a note: leave it as a draft',
      'Ctrl+Enter', 'V', 'R', 'Y', 'Shift+Y', 'I', 'H', '?'])
      await does[key]().catch((e) => { throw new Error(`${key}: ${e.stack}`); });
    // what stands on buttons is in the sheet
    const shown = await page.locator('button > kbd').allInnerTexts();
    assert.ok(shown.length >= 12 && shown.every((k) => sheet.some(([key]) => key === k)), String(shown));
    const shortcuts = await page.locator('[aria-keyshortcuts]').evaluateAll((all) =>
      all.map((b) => [b.getAttribute('aria-keyshortcuts'), b.querySelector('kbd')?.textContent]));
    assert.ok(shortcuts.length >= 12 && shortcuts.every(([s, k]) => s === k), String(shortcuts));
  }));

await check('single keys can be switched off, and stay so; digits go by place', () =>
  using(browser, server.links.keys, {}, async (page) => {
    await settle(page);
    await page.keyboard.press('?');
    await page.locator('dialog').getByLabel('Single keys act').uncheck();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.locator('[data-action] kbd').count(), 0);
    assert.equal(await page.locator('[data-action][aria-keyshortcuts]').count(), 0);
    const before = await read(page);
    for (const key of ['1', 'u', '?', 'n']) await page.keyboard.press(key);
    await page.reload();
    await settle(page);
    await page.keyboard.press('2');
    assert.deepEqual(await read(page), before);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.locator('dialog').getByLabel('Single keys act').check();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    for (const key of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { repeat: true }, { isComposing: true }])
      await page.evaluate((more) => document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: '1', code: 'Digit1', bubbles: true, ...more })), key);
    assert.deepEqual(await read(page), before, 'with Ctrl, Alt, Meta, repeating, composing: nothing');
    // a French keyboard: the key of 1 writes an ampersand
    await page.evaluate(() => document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: '&', code: 'Digit1', bubbles: true })));
    await says(page, 'Saved: A is better', '.said');
  }));

await check('a double press labels one pair; a press in the first 400 ms does nothing', () =>
  using(browser, server.links.guard, {}, async (page) => {
    await settle(page);
    const first = await read(page);
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await page.waitForTimeout(300);
    const second = await read(page);
    assert.notEqual(second.n, first.n);
    await saved(page);
    assert.equal(await text(page, '.progress strong'), '1 of 40');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
    await press(page, '2');
    await saved(page);
    assert.equal(await text(page, '.progress strong'), '2 of 40');
    const [last] = labelsOf(shop, ledger).filter((l) => l.annotator === 'guard' && l.pair_id === `secret-id-${second.n}`);
    assert.equal(last.label, second.side === '12' ? '2' : '1');
  }));

await check('undo without limit, also after a reload; a change adds and does not overwrite', () =>
  using(browser, server.links.undo, {}, async (page) => {
    const order = [];
    for (const key of ['1', '2', '0', '1']) {
      order.push((await read(page)).n);
      await press(page, key);
    }
    await saved(page);
    await page.reload();
    await settle(page);
    const live = await read(page);
    for (const n of [...order].reverse()) {
      await page.keyboard.press('u');
      await says(page, `number ${n}?`, '.question-text');
    }
    await page.keyboard.press('u');
    await says(page, 'There is nothing before this.', '.said');
    await press(page, '0'); // the first one, from A to tie
    await says(page, 'Saved: Tie', '.said');
    assert.deepEqual(await read(page), live);
    await page.keyboard.press('u'); // what was changed last is what is undone first
    await says(page, `number ${order[0]}?`, '.question-text');
    await press(page, '0'); // the same choice keeps it
    await says(page, 'Kept: Tie', '.said');
    await saved(page);
    const labels = labelsOf(shop, ledger).filter((l) => l.annotator === 'undo');
    assert.equal(labels.length, 4);
    assert.equal(labels.find((l) => l.pair_id === `secret-id-${order[0]}`).label, 'tie');
    assert.equal(await text(page, '.progress strong'), '4 of 40');
  }));

await check('a note is a draft until it is kept, survives a reload, and is in the ledger', () =>
  using(browser, server.links.note, {}, async (page) => {
    await settle(page);
    const first = await read(page);
    await page.keyboard.press('n');
    await page.keyboard.press('m');
    await page.keyboard.type('Both are <b>vague</b>.');
    await page.waitForTimeout(450);
    await page.reload();
    await settle(page);
    await page.keyboard.press('m');
    assert.equal(await page.locator('#note-text').inputValue(), 'Both are <b>vague</b>.');
    await page.keyboard.press('Control+Enter');
    await page.locator('#note-text').waitFor({ state: 'detached' });
    await press(page, '0');
    await says(page, 'Saved: Tie, topic not familiar', '.said');
    await page.keyboard.press('u');
    await heading(page, 'A pair you decided');
    await settle(page);
    await page.keyboard.press('m');
    await page.keyboard.press('End');
    await page.keyboard.type(' Really.');
    await page.keyboard.press('Control+Enter'); // of a decided pair: at once
    await heading(page, 'Pair 2 of 40');
    await saved(page);
    const [label] = labelsOf(shop, ledger).filter((l) => l.annotator === 'note');
    assert.equal(label.note, 'Both are <b>vague</b>. Really.');
    assert.equal(label.familiar, false);
    assert.equal(label.pair_id, `secret-id-${first.n}`);
  }));

await check('two tabs: the other hears of a label; a second one is asked about', () =>
  using(browser, server.links.tabs, { expects: /409/ }, async (one, { watch }) => {
    await settle(one);
    const two = await watch();
    await two.goto(server.origin);
    await settle(two);
    const first = await read(one);
    assert.deepEqual(await read(two), first);
    await one.keyboard.press('1');
    await says(two, 'Already labelled in another tab: A is better', '.opened');
    await press(two, 'Escape');
    const second = await read(two);
    assert.notEqual(second.n, first.n);
    await settle(one);
    assert.deepEqual(await read(one), second);
    // now a tab that hears nothing
    await one.evaluate(() => { BroadcastChannel.prototype.postMessage = () => {}; });
    await one.keyboard.press('1');
    await says(one, 'Saved', '.said');
    await press(two, '2');
    await says(two, 'Already labelled in another tab: A is better. Here you chose: B is better', '.lines');
    await two.getByRole('button', { name: 'Change to: B is better' }).click();
    await two.locator('.line').waitFor({ state: 'detached' });
    await saved(two);
    const label = labelsOf(shop, ledger).find((l) => l.annotator === 'tabs' && l.pair_id === `secret-id-${second.n}`);
    assert.equal(label.label, second.side === '12' ? '2' : '1');
    assert.equal(labelsOf(shop, ledger).filter((l) => l.annotator === 'tabs').length, 2);
  }));

await check("another person's link in this browser: nothing goes under the wrong name", () =>
  using(browser, server.links.tabs, { expects: /404/ }, async (page, { watch }) => {
    await settle(page);
    const mine = await read(page);
    const two = await watch();
    await two.goto(server.links.other);
    await two.locator('#pair').waitFor();
    await page.keyboard.press('1');
    await heading(page, "Another person's link was opened in this browser.");
    assert.equal(labelsOf(shop, ledger).filter((l) => l.annotator === 'other').length, 0);
    await two.goto(server.links.tabs);
    await two.locator('#pair').waitFor();
    await saved(two);
    const label = labelsOf(shop, ledger).find((l) => l.annotator === 'tabs' && l.pair_id === `secret-id-${mine.n}`);
    assert.equal(label.label, mine.side === '12' ? '1' : '2');
  }));

await check('a browser that stores nothing waits for the server before the next pair', () =>
  using(browser, server.links.full, {
    expects: NETWORK,
    before: (context) => context.addInitScript(() => {
      Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
    }),
  }, async (page, { context }) => {
    await press(page, '1');
    await says(page, 'This browser keeps nothing for this page', '.lines');
    await saved(page);
    await settle(page);
    const second = await read(page);
    await context.setOffline(true);
    await page.keyboard.press('2');
    await says(page, 'Waiting for the server to take your label.', '.lines');
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press('1');
    assert.deepEqual(await read(page), second, 'the next pair waits');
    await context.setOffline(false);
    await page.waitForFunction((n) => !document.querySelector('.question-text').textContent.includes(`number ${n}?`), second.n);
    const label = labelsOf(shop, ledger).find((l) => l.annotator === 'full' && l.pair_id === `secret-id-${second.n}`);
    assert.equal(label.label, second.side === '12' ? '2' : '1');
  }));

await server.stop();
await browser.close();
shop.remove();
finish();
process.exit(); // whatever a failed test left running
