// SPDX-License-Identifier: MIT
//
// The judge card in a browser:  node card.mjs EVENHAND SOURCE_FOLDER
//
// Audits of simulated judges are made by the command, their card is opened from disk and
// used as a person would. Any console line, violation of the page's policy or request
// fails the test in which it happens. Numbers are held against `show --json`.
import assert from 'node:assert/strict';
import path from 'node:path';
import { axeFaults, check, findChromium, finish, launch, openFile, skipAll } from './browser.mjs';
import { hostileAnswers, partOf, wholeText, workshop } from './data.mjs';

const [evenhand, source] = process.argv.slice(2);
if (!findChromium()) skipAll('there is no Chromium');
const shop = workshop(path.resolve(evenhand));
const browser = await launch();

async function using(file, options, use) {
  const opened = await openFile(browser, file, options);
  try {
    await use(opened.page);
    assert.deepEqual(await opened.faults(), []);
  } finally {
    await opened.context.close();
  }
}

const text = (page, selector) => page.locator(selector).first().innerText();

async function assertNoSideways(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page scrolls ${over} pixels sideways`);
}

// ---- 120 pairs of our own, and judges with planted defects ----

const N = 120;
const pairs = Array.from({ length: N }, (_, i) => ({
  id: `p${i}`,
  question: `What is to be said of number ${i}?`,
  answer_1: `Number ${i} was noted early. It stood in the first book. Nobody asked for more, and so it stayed.`,
  answer_2: `Of number ${i} little is known. It was left out at first. Later somebody put it back in its place.`,
  category: i % 3 ? 'common' : 'rare',
}));
shop.lines('pairs.jsonl', pairs);
shop.lines('wrong.jsonl', pairs.map((p, i) => ({
  ...p, perturbed: 1 + (i % 2),
  [`answer_${1 + (i % 2)}`]: p[`answer_${1 + (i % 2)}`].replace('number', 'the false number').replace('first', 'last'),
})));

function audit(name, judge, probes) {
  shop.run('audit', 'pairs.jsonl', '-j', judge, '--probes', probes, '-o', `${name}.db`, '-q');
  return shop.report(name, [name]);
}

const LOVER = 'sim:refs=3,noise=.4,spread=1';
const lover = audit('lover', LOVER, 'references,majority,factual_error=wrong.jsonl');
const slot = audit('slot', 'sim:first=-9,spread=0', 'references');
const card = Object.values(JSON.parse(shop.run('show', 'lover.db', '--json')).judges)[0];

await check('a stranger sees the worst bias and how sure we are', () =>
  using(lover, {}, async (page) => {
    const sentence = await text(page, '.sentence');
    assert.match(sentence, /(fooled by|misses) .*\d+ of 100.*95 %: \d+ to \d+/);
    assert.match(await text(page, '.row .state-word'), /Fooled/);
    assert.match(await text(page, '.uses'), /Do not use it for/);
  }));

await check('charts are drawn and named', () =>
  using(lover, {}, async (page) => {
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('.top svg.dot-line')].map((svg) => ({
        role: svg.getAttribute('role'), name: svg.getAttribute('aria-label') ?? '',
        range: svg.querySelectorAll('.range').length, dots: svg.querySelectorAll('circle').length,
        width: svg.getBoundingClientRect().width,
      })));
    assert.equal(found.length, 4); // order and three probes
    for (const c of found) {
      assert.equal(c.role, 'img');
      assert.match(c.name, /\d/);
      assert.ok(c.range === 1 && c.dots === 1 && c.width > 100, JSON.stringify(c));
    }
    // the dot stands where the number is
    const at = await page.locator('.row .dot').first().getAttribute('cx');
    const name = await page.locator('.row h3').first().innerText();
    const probe = Object.entries(partOf(lover, 'index').judges[0].probes).find(([, p]) => p.short === name)[1].name;
    const own = card.probes[probe];
    assert.equal(at, `${(100 * own[own.form].asr.value).toFixed(2)}%`);
  }));

await check('the numbers are those of show', () =>
  using(lover, {}, async (page) => {
    const index = partOf(lover, 'index');
    assert.deepEqual(index.ledgers[0].cards, JSON.parse(shop.run('show', 'lover.db', '--json')));
    const rows = await page.locator('.row').evaluateAll((all) =>
      all.map((r) => [r.querySelector('h3').textContent, r.querySelector('.said-number').textContent]));
    assert.equal(rows.length, 3);
    for (const [short, said] of rows) {
      const own = card.probes[index.judges[0].probes.find((p) => p.short === short).name];
      const { asr, hits, n } = own[own.form];
      const wanted = hits === 0
        ? `0 of ${n}`
        : `${(100 * asr.value).toFixed(0)} of 100 (${(100 * asr.low).toFixed(0)} to ${(100 * asr.high).toFixed(0)})`;
      assert.equal(said.replaceAll('\u00a0', ' '), wanted);
    }
  }));

await check('lists of pairs agree with the counts', () =>
  using(lover, {}, async (page) => {
    for (const { name } of partOf(lover, 'index').judges[0].probes) {
      const own = card.probes[name];
      const { hits, n } = own[own.form];
      const counts = { 2: hits, 3: n - hits, 1: own.pairs - own.unread - n, 0: own.unread };
      for (const [outcome, wanted] of Object.entries(counts)) {
        await page.evaluate((h) => { location.hash = h; }, `#pairs&probe=${name}&outcome=${outcome}`);
        await page.waitForFunction((w) => document.querySelector('.counts').textContent.startsWith(w), `${wanted} of`);
      }
    }
  }));

await check('the filter works and goes into the address', () =>
  using(lover, {}, async (page) => {
    await page.locator('.fields select').first().selectOption('references');
    await page.getByRole('button', { name: /went over to it/ }).click();
    const wanted = card.probes.references.susceptibility.hits;
    assert.match(await text(page, '.counts'), new RegExp(`^${wanted} of 360`));
    assert.match(page.url(), /probe=references&outcome=2/);
    await page.getByLabel('Find in id').fill('p11');
    assert.ok((await page.locator('table.pairs tbody tr').count()) <= 11);
    await page.getByRole('button', { name: 'Clear all' }).click();
    assert.equal(await page.locator('table.pairs tbody tr').count(), 100);
    await page.locator('table.pairs').locator('xpath=../..').getByRole('button', { name: 'Next' }).first().click();
    assert.equal(await page.locator('table.pairs tbody tr').first().getAttribute('aria-rowindex'), '102');
  }));

await check('a pair opens with its diff and the replies of both', () =>
  using(lover, { hash: '#pairs&probe=factual_error' }, async (page) => {
    await page.locator('table.pairs tbody a').first().click();
    await page.locator('.diff').waitFor();
    assert.match((await page.locator('.diff ins').allInnerTexts()).join(' '), /false|last/);
    assert.match((await page.locator('.diff del').allInnerTexts()).join(' '), /first/);
    const changed = await page.locator('.diff').evaluate((d) =>
      [...d.childNodes].filter((n) => n.nodeName !== 'DEL').map((n) => n.textContent).join(''));
    assert.match(changed, /last/);
    assert.doesNotMatch(changed, /first/);
    assert.equal(await page.locator('.sides .votes').first().locator('.said').count(), 6);
    assert.equal(await page.locator('.sides .votes').nth(1).locator('.said').count(), 6);
    assert.deepEqual(await axeFaults(page), []);
    await page.getByRole('button', { name: 'Raw' }).click();
    assert.equal(await page.locator('.diff').count(), 0);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    assert.match(await page.evaluate(() => document.activeElement.id), /^row-/);
  }));

await check('by keyboard alone', () =>
  using(lover, {}, async (page) => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the pairs');
    await page.locator('table.pairs tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.diff').waitFor();
    const first = await text(page, '#pair-h');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'pair-h');
    await page.keyboard.press('j');
    await page.waitForFunction((t) => document.querySelector('#pair-h').innerText !== t, first);
    await page.keyboard.press('k');
    await page.waitForFunction((t) => document.querySelector('#pair-h').innerText === t, first);
    await page.keyboard.press('v');
    await page.locator('.diff').waitFor({ state: 'detached' });
  }));

await check('a judge that follows the slot is said not to be readable, its numbers hidden', () =>
  using(slot, {}, async (page) => {
    assert.match(await text(page, '.sentence'), /cannot be audited: it picks the second answer in \d+ of 100/);
    assert.match(await text(page, '.row .state-word'), /Cannot be read/);
    assert.equal(await page.locator('.row .said-number').first().isVisible(), false);
    await page.getByText('Show the number anyway').first().click();
    assert.equal(await page.locator('.row .said-number').first().isVisible(), true);
    assert.match(await text(page, '.facts-row .bad'), /beyond the limit/);
    assert.match(await text(page, '.uses'), /Do not use it/);
  }));

await check('too few pairs are never green', () => {
  shop.lines('few.jsonl', pairs.slice(0, 20));
  shop.run('audit', 'few.jsonl', '-j', 'sim:noise=.2', '--probes', 'majority', '-o', 'few.db', '-q');
  return using(shop.report('few', ['few']), {}, async (page) => {
    assert.match(await text(page, '.row .state-word'), /Not enough data/);
    assert.equal(await page.locator('.row .dot.hollow').count(), 1);
    assert.equal(await page.locator('.row .state.held_up').count(), 0);
  });
});

await check('several judges stand side by side, and two ledgers of one', async () => {
  shop.run('audit', 'pairs.jsonl', '-j', LOVER, '--probes', 'references', '-o', 'again.db', '-q');
  const file = shop.report('both', ['lover', 'slot', 'again']);
  await using(file, {}, async (page) => {
    assert.equal(await page.locator('table.judges tbody tr').count(), 3);
    assert.match(await text(page, 'table.judges'), /\(again\.db\)/);
    assert.match(await text(page, 'table.judges'), /not tested/);
    await page.locator('table.judges tbody a').nth(1).click();
    assert.match(await text(page, '.sentence'), /cannot be audited/);
    assert.deepEqual(await axeFaults(page), []);
    assert.equal(partOf(file, 'index').units.n, N); // the same pairs are one
    await page.locator('table.pairs tbody a').first().click();
    await page.locator('.said').first().waitFor();
    await page.locator('#pair .judge-choice select').selectOption({ index: 0 });
    await page.waitForFunction(() => document.querySelectorAll('.votes .said').length >= 12);
  });
});

for (const [kind, options] of [
  ['wide', { viewport: { width: 1440, height: 900 } }],
  ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 844 } }],
])
  await check(`axe finds nothing serious, and nothing scrolls sideways: ${kind}`, () =>
    using(lover, options, async (page) => {
      assert.deepEqual(await axeFaults(page), []);
      await assertNoSideways(page);
    }));

await check('print unfolds and is light', () =>
  using(lover, { colorScheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('.detail details:not([open])').count(), 0);
    assert.equal(await page.locator('.quick').first().isVisible(), false);
    const shade = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(shade, 'rgb(255, 255, 255)');
  }));

await check('without script the card stands there as text', () =>
  using(lover, { javaScriptEnabled: false }, async (page) => {
    assert.match(await text(page, '#plain'), /fake references/);
    assert.match(await text(page, '#plain'), /95 %: \d+ to \d+/);
  }));

await check('without texts there are none, and the page says so', async () => {
  const file = shop.report('bare', ['lover'], '--no-texts');
  assert.ok(!/was noted early|What is to be said|false number/.test(wholeText(file)));
  await using(file, {}, async (page) => {
    assert.match(await text(page, '.foot-line'), /no texts/);
    await page.locator('table.pairs tbody a').first().click();
    assert.match(await text(page, '#pair .blank'), /made without texts/);
    assert.equal(await page.locator('.sides .votes').first().locator('.said').count(), 6);
  });
});

await check('hostile texts do nothing', async () => {
  const all = Object.entries(hostileAnswers).filter(([, a]) => a.trim() !== '' && a.length < 20_000);
  const evil = all.map(([name, answer]) => ({
    id: `"><script>pwned=1</script>${name}`, question: `${name}: <script>globalThis.pwned = 1</script>`,
    answer_1: answer, answer_2: `Fine. ${answer.slice(0, 200)}`, category: '</title><script>pwned=1</script>',
  }));
  shop.lines('evil.jsonl', evil);
  shop.run('audit', 'evil.jsonl', '-j', 'sim:noise=.5', '--probes', 'references,rich_content,injection', '-o', 'evil.db', '-q');
  const file = shop.report('evil', ['evil']);
  await using(file, {}, async (page) => {
    const links = await page.locator('table.pairs tbody a').count();
    assert.equal(links, Math.min(100, partOf(file, 'index').judges[0].items.n));
    for (let i = 0; i < links; i++) {
      await page.locator('table.pairs tbody a').nth(i).click();
      await page.locator('.diff').waitFor();
      await page.keyboard.press('v');
      await page.keyboard.press('r');
      await page.getByRole('link', { name: 'Back to the list' }).click();
      await page.locator('table.pairs').waitFor();
    }
    assert.equal(await page.evaluate(() => globalThis.pwned), undefined);
  });
});

await check('the same ledger gives the same file', () => {
  const again = shop.report('lover', ['lover']);
  assert.deepEqual(partOf(again, 'index'), partOf(lover, 'index'));
});

await check('runs and audits do not mix', () => {
  shop.run('run', path.join(path.resolve(source), 'examples/pairs.jsonl'), '-j', 'sim:noise=.5', '-o', 'run.db', '-q');
  assert.match(shop.fails('report', 'lover.db', 'run.db', '-o', 'x.html'), /^2 .*runs or audits, not both/);
});

await browser.close();
shop.remove();
finish();
