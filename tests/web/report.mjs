// SPDX-License-Identifier: MIT
//
// The report page in a browser:  node report.mjs EVENHAND SOURCE_FOLDER
//
// Reports are made by the command, opened from disk and used as a person would. Any
// console error, violation of the page's policy or request fails the test in which it
// happens. Recorded judgments of real judges are taken from $EVENHAND_SHARED/data where
// they are there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { axeFaults, check, findChromium, finish, launch, openFile, ready, skipAll } from './browser.mjs';
import { hostileAnswers, hostileFiles, partOf, recorded, sha1, wholeText, workshop } from './data.mjs';

const [evenhand, source] = process.argv.slice(2);
if (!findChromium()) skipAll('there is no Chromium');
const shop = workshop(path.resolve(evenhand));
const browser = await launch();
const pairsFile = path.join(source, 'examples/pairs.jsonl');
const labelsFile = path.join(source, 'examples/labels.jsonl');
const SIM = 'sim:first=1.5,noise=.5';

// Opens a report, hands its page to `use`, and asserts that nothing went wrong.
async function using(file, options, use) {
  const opened = await openFile(browser, file, options);
  try {
    await use(opened.page, opened.faults);
    assert.deepEqual(await opened.faults(), []);
  } finally {
    await opened.context.close();
  }
}

const readLines = (file) => readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));

const text = (page, selector) => page.locator(selector).first().innerText();

async function tableRows(page, section, table = 0) {
  return page.locator(`#${section} table`).nth(table).evaluate((t) =>
    [...t.querySelectorAll('tbody tr')].map((r) => [...r.children].map((c) => c.textContent)),
  );
}

async function charts(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('svg.chart')].map((svg) => ({
      role: svg.getAttribute('role'),
      name: svg.getAttribute('aria-label') ?? '',
      inner: svg.querySelectorAll('[aria-label]').length,
      marks: svg.querySelectorAll('circle, rect, path, line').length,
      width: svg.getBoundingClientRect().width,
    })),
  );
}

async function assertCharts(page, minimum) {
  const found = await charts(page);
  assert.ok(found.length >= minimum, `${found.length} charts, wanted ${minimum}`);
  for (const c of found) {
    assert.equal(c.role, 'img');
    assert.ok(c.name.length > 10, `a chart is called "${c.name}"`);
    assert.equal(c.inner, 0);
    assert.ok(c.marks > 0 && c.width > 100, JSON.stringify(c));
  }
}

async function assertNoSideways(page) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `the page scrolls ${over} pixels sideways`);
}

// ---- our own example with a simulated judge ----

shop.run('run', pairsFile, '-j', SIM, '--labels', labelsFile, '-o', 'demo.db', '-q');
const demo = shop.report('demo', ['demo']);
const summary = Object.values(JSON.parse(shop.run('show', 'demo.db', '--json')).judges)[0];

await check('charts are drawn and named', () => using(demo, {}, (page) => assertCharts(page, 10)));

await check('the numbers are those of show', () =>
  using(demo, {}, async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const [row] = await tableRows(page, 'won');
    const percent = (v) => `${(100 * v).toFixed(1)}\u00a0%`;
    assert.equal(row[1], percent(summary.win_rate.value));
    assert.equal(row[2], `${percent(summary.win_rate.low)} to ${percent(summary.win_rate.high)}`);
    assert.match(await text(page, '.sentence'), /model-a wins/);
    const slots = await page.locator('#position .grid td.same').allInnerTexts();
    const agreed = slots.reduce((sum, t) => sum + Number(t), 0);
    assert.equal(agreed, summary.conflict.pairs - summary.conflict.conflicts);
    const confusion = partOf(demo, 'index').judges[0].people.confusion;
    assert.equal(confusion[0] + confusion[4] + confusion[8], Math.round(summary.labels.accuracy * 48));
  }));

await check('the hash is that of the summary', () => {
  const index = partOf(demo, 'index');
  assert.match(index.ledgers[0].summary_hash, /^[0-9a-f]{64}$/);
  const again = shop.report('demo-again', ['demo']);
  assert.equal(partOf(again, 'index').ledgers[0].summary_hash, index.ledgers[0].summary_hash);
});

await check('the same ledger gives the same file', () => {
  const one = sha1(demo);
  shop.report('demo', ['demo']);
  assert.equal(sha1(demo), one);
});

await check('the slider marks pairs and agrees with its table', () =>
  using(demo, {}, async (page) => {
    const slider = page.locator('#budget');
    const words = () => text(page, '.slider-words');
    const marked = () =>
      page.locator('#unsure svg.chart text').allTextContents().then((all) =>
        all.reduce((sum, t) => sum + Number(/^(\d+) of \d+$/.exec(t)?.[1] ?? 0), 0));
    for (const [value, n] of [['0', 0], ['10', 5], ['100', 48]]) {
      await slider.fill(value);
      assert.match(await words(), new RegExp(`^\\s*${value} % of pairs: ${n} to label`));
    }
    assert.match(await words(), /Right then: 100\.0\u00a0%/);
    await slider.fill('5');
    assert.equal(await marked(), 3);
    const budgets = partOf(demo, 'index').judges[0].budget;
    assert.match(await text(page, '#unsure figure:nth-of-type(2)'), new RegExp(
      `most uncertain fifth of pairs ${(100 * budgets[20].accuracy).toFixed(1)}[^]*Over all pairs`));
    assert.equal(await page.locator('#unsure svg.chart').count(), 2);
    assert.ok(budgets.every((b) => b.cost_usd === null && b.active >= b.random - 0.05));
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await words(), /^\s*6 %/);
  }));

await check('where people rule it says so, and the judge is still compared with them', async () => {
  const plain = partOf(demo, 'index').judges[0];
  const file = shop.report('hitlc', ['demo'], '-m', 'hitlc', '--label-price', '.5');
  const judge = partOf(file, 'index').judges[0];
  assert.equal(judge.summary.method, 'hitlc');
  assert.match(judge.cells.people, /^1{48}$/);
  assert.deepEqual(judge.people.confusion, plain.people.confusion);
  assert.deepEqual(judge.budget.map((b) => b.accuracy), plain.budget.map((b) => b.accuracy));
  await using(file, {}, async (page) => {
    assert.match(await text(page, 'table.pairs tbody tr'), /by people/);
    assert.doesNotMatch(await text(page, '#pairs'), /right on/);
  });
});

await check('a pair opens with both orders, replies and raw text, and going back finds its row', () =>
  using(demo, {}, async (page) => {
    const row = page.locator('table.pairs tbody tr').nth(3);
    const name = await row.locator('a').innerText();
    await row.locator('a').click();
    await page.locator('#pair h2', { hasText: 'What the judge said' }).waitFor();
    assert.match(await text(page, '#pair h1'), new RegExp(name));
    assert.equal(await page.locator('#pair .answer').count(), 2);
    const heads = await page.locator('#pair h3', { hasText: 'Order' }).allInnerTexts();
    assert.deepEqual(heads, ['Order 12: answer 1 was shown first', 'Order 21: answer 2 was shown first']);
    assert.equal(await page.locator('.said').count(), 6);
    await page.locator('.said summary').first().click();
    assert.ok((await text(page, '.said .reply')).length > 3);
    assert.match(await text(page, '.said .facts code'), /^[0-9a-f]{16}$/);
    const raw = (n) => page.waitForFunction((wanted) =>
      document.querySelectorAll('#pair .answer .raw').length === wanted, n);
    await page.keyboard.press('r');
    await raw(2);
    await page.keyboard.press('r');
    await raw(0);
    for (let i = 0; i < 5; i++) await page.keyboard.press('r');
    await raw(2);
    await page.keyboard.press('r');
    await raw(0);
    await page.keyboard.press('j');
    await page.waitForFunction((old) => !document.querySelector('#pair h1')?.textContent.includes(old), name);
    await page.keyboard.press('k');
    await page.waitForFunction((old) => document.querySelector('#pair h1')?.textContent.includes(old), name);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.locator('#pair').waitFor({ state: 'detached' });
    await page.waitForFunction((wanted) => document.activeElement?.textContent?.trim() === wanted, name);
  }));

await check('texts are those of the data, byte for byte, in the raw view', () =>
  using(demo, { hash: '#pair=coding-2' }, async (page) => {
    const data = readFileSync(pairsFile, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
    const pair = data.find((d) => d.id === 'coding-2');
    await page.locator('#pair .answer').first().waitFor();
    await page.keyboard.press('r');
    await page.locator('#pair .answer .raw').nth(1).waitFor();
    const shown = await page.locator('#pair .answer .text').evaluateAll((all) => all.map((e) => e.textContent));
    assert.deepEqual(shown, [pair.answer_1, pair.answer_2]);
  }));

await check('filters count what they show, live in the address and survive a reload', () =>
  using(demo, {}, async (page) => {
    await page.getByRole('button', { name: /^Conflicts/ }).click();
    const n = summary.conflict.conflicts;
    assert.match(await text(page, '#pairs .counts'), new RegExp(`^${n} of 48 pairs`));
    assert.equal(await page.locator('table.pairs tbody tr').count(), n);
    assert.match(page.url(), /show=conflict/);
    await page.reload();
    await ready(page);
    assert.equal(await page.locator('table.pairs tbody tr').count(), n);
    await page.getByRole('button', { name: /^All/ }).click();
    await page.locator('summary', { hasText: 'More filters' }).click();
    await page.locator('.fields').getByLabel('Category').selectOption('maths');
    assert.equal(await page.locator('table.pairs tbody tr').count(), 6);
    await page.getByLabel('Find in id').fill('maths-3');
    assert.equal(await page.locator('table.pairs tbody tr').count(), 1);
    await page.getByRole('button', { name: 'Clear all' }).click();
    assert.equal(await page.locator('table.pairs tbody tr').count(), 48);
  }));

await check('columns sort in both directions', () =>
  using(demo, {}, async (page) => {
    const column = async () => {
      const at = await page.locator('table.pairs thead th').evaluateAll((all) =>
        all.findIndex((h) => h.textContent.startsWith('BPDE')));
      const cells = await page.locator(`table.pairs tbody tr > :nth-child(${at + 1})`).allInnerTexts();
      return cells.map(Number);
    };
    const head = page.locator('table.pairs thead button', { hasText: 'BPDE' });
    await head.click();
    const down = await column();
    assert.deepEqual(down, [...down].sort((a, b) => b - a));
    await head.click();
    const up = await column();
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    assert.equal(await page.locator('th[aria-sort="ascending"]').count(), 1);
  }));

await check('a search goes through the texts', () =>
  using(demo, {}, async (page) => {
    const data = readFileSync(pairsFile, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
    const listed = data.map((d) => `${d.question} ${d.id}`).join(' ').toLowerCase();
    const word = data.flatMap((d) => d.answer_2.toLowerCase().match(/[a-z]{7,}/g) ?? [])
      .find((w) => !listed.includes(w));
    const wanted = data.filter((d) =>
      [d.question, d.answer_1, d.answer_2, d.id].some((t) => t.toLowerCase().includes(word))).length;
    assert.ok(wanted > 0);
    await page.getByLabel('Find in id').fill(word);
    assert.equal(await page.locator('table.pairs tbody tr').count(), 0);
    await page.getByRole('button', { name: 'Search in texts and replies' }).click();
    await page.waitForFunction((n) => document.querySelectorAll('table.pairs tbody tr').length === n, wanted);
  }));

for (const [name, options] of [
  ['wide and light', {}],
  ['wide and dark', { colorScheme: 'dark' }],
  ['1024', { viewport: { width: 1024, height: 768 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
  ['phone and dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
]) {
  await check(`no serious fault for axe, no sideways scrolling: ${name}`, () =>
    using(demo, options, async (page) => {
      await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
      assert.deepEqual(await axeFaults(page), []);
      await assertNoSideways(page);
      await page.evaluate(() => { location.hash = 'pair=coding-2'; });
      await page.locator('#pair .said').first().waitFor();
      await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
      await page.waitForTimeout(150);
      assert.deepEqual(await axeFaults(page), []);
      await assertNoSideways(page);
    }));
}

await check('print is light, unfolded and without controls', () =>
  using(demo, { colorScheme: 'dark' }, async (page) => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const seen = await page.evaluate(() => ({
      background: getComputedStyle(document.body).backgroundColor,
      slider: getComputedStyle(document.querySelector('.slider')).display,
      contents: getComputedStyle(document.querySelector('.contents')).display,
    }));
    assert.deepEqual(seen, { background: 'rgb(255, 255, 255)', slider: 'none', contents: 'none' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('#unsure details[open]').count(), 1);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('#unsure details[open]').count(), 0);
    assert.ok((await page.pdf()).length > 50_000);
  }));

await check('without scripts the numbers are there', () =>
  using(demo, { javaScriptEnabled: false }, async (page) => {
    assert.match(await text(page, '#plain table'), /45\.8 % \(32\./);
    assert.match(await text(page, '#plain'), /need a browser that runs the script/);
  }));

// ---- without texts, and with less room than texts ----

await check('--no-texts leaves ids, hashes and numbers', async () => {
  const file = shop.report('bare', ['demo'], '--no-texts');
  const whole = wholeText(file);
  const data = readFileSync(pairsFile, 'utf8').trim().split('\n').map((l) => JSON.parse(l));
  for (const d of data)
    for (const t of [d.question, d.answer_1, d.answer_2])
      assert.ok(!whole.includes(JSON.stringify(t).slice(1, 40)), `${d.id}: ${t.slice(0, 40)}`);
  for (const annotator of new Set(readFileSync(labelsFile, 'utf8').trim().split('\n').map((l) => JSON.parse(l).annotator)))
    assert.ok(!whole.includes(`"${annotator}"`), annotator);
  assert.ok(!whole.includes('[Start of Assistant'), 'the template');
  await using(file, { hash: '#pair=coding-2' }, async (page) => {
    assert.match(await text(page, '#pair'), /made without texts/);
    assert.equal(await page.locator('.said').count(), 6);
    assert.match(await text(page, 'footer'), /no texts/);
  });
});

// A word in every field, also across the end of what the list shows of a question.
await check('--redact keeps a word out of every byte of the file', async () => {
  const secret = 'Zanzibar-7';
  const pairs = Array.from({ length: 12 }, (_, i) => ({
    id: i % 3 ? `pair-${i}` : `pair-${i}-${secret}`,
    question: `${'x'.repeat(108 + i)} ${secret}? Then ${secret.toLowerCase()}?`,
    answer_1: `One.\n\n${secret} is it.`, answer_2: `Two.\n\n\u00fcber ${secret}\u2026 and ${secret}`,
    reference: `as ${secret} says`, category: i % 2 ? 'sea' : `of ${secret}`, model_1: `m-${secret}`, model_2: 'elm',
    ...(i === 5 ? { turns: [{ role: 'user', content: `first "${secret}"` }, { role: 'assistant', content: secret }] } : {}),
  }));
  shop.lines('secret.jsonl', pairs);
  shop.lines('secret-labels.jsonl', pairs.map((p) => ({ pair_id: p.id, annotator: `Ann ${secret}`, label: '1', note: `seen in ${secret}` })));
  shop.lines('secret-judgments.jsonl', pairs.flatMap((p) => ['12', '21'].map((order) => ({
    judge: 'j', pair_id: p.id, order, sample: 0, verdict: '1', reply: `${secret} wins.\nVerdict: ${secret}`,
  }))));
  shop.run('import', 'judgments', 'secret-judgments.jsonl', '--pairs', 'secret.jsonl', '--labels', 'secret-labels.jsonl', '-o', 'secret.db');
  assert.match(wholeText(shop.report('open', ['secret'])), /Zanzibar-7/);
  const done = spawnSync(path.resolve(evenhand), ['report', 'secret.db', '-o', 'kept.html', '--redact', '(?i)zanzibar-\\d'], { cwd: shop.folder, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  const file = shop.at('kept.html');
  assert.doesNotMatch(wholeText(file), /zanzibar/i);
  assert.doesNotMatch(readFileSync(file, 'latin1'), /zanzibar/i);
  const wanted = [...JSON.stringify([pairs, ...['secret-labels', 'secret-judgments'].map((n) =>
    readLines(shop.at(`${n}.jsonl`)).map(({ pair_id, ...rest }) => rest))]).matchAll(/zanzibar-\d/gi)].length;
  assert.equal(partOf(file, 'index').redacted, wanted);
  assert.match(done.stderr, new RegExp(`^evenhand report: --redact: ${wanted} matches left out$`, 'm'));
  await using(file, {}, async (page) => {
    assert.match(await text(page, 'footer'), new RegExp(`${wanted} matches of a pattern .* are left out`));
    await page.locator('table.pairs tbody a').first().click();
    await page.locator('#pair .answer').first().waitFor();
    assert.match(await text(page, '#pair'), /\[redacted\] is it\./);
  });
  shop.report('kept-bare', ['secret'], '--no-texts', '--redact', '(?i)zanzibar-\\d');
  assert.doesNotMatch(wholeText(shop.at('kept-bare.html')), /zanzibar/i);
});

await check('--redact says what is wrong with a pattern, and when none matched', () => {
  const failing = (pattern) => shop.fails('report', 'demo.db', '-o', 'x.html', '--redact', pattern);
  assert.match(failing('a(b'), /^2 evenhand report: --redact: 'a\(b' is no regular expression: mismatched paren at character \d+$/);
  assert.match(failing(''), /^2 evenhand report: --redact: ''/);
  assert.match(failing('(.|.)+$(?<!.)'), /^2 evenhand report: --redact: looking through a text of \d+ bytes failed \(time out\)/);
  assert.ok(!existsSync(shop.at('x.html')));
  const done = spawnSync(path.resolve(evenhand), ['report', 'demo.db', '-o', 'none.html', '--redact', 'qqqqq'], { cwd: shop.folder, encoding: 'utf8' });
  assert.match(done.stderr, /matched nothing/);
  assert.equal(partOf(shop.at('none.html'), 'index').redacted, 0);
});

await check('the part of a reply that the verdict was read from is marked', () =>
  using(demo, { hash: '#pair=coding-2' }, async (page) => {
    await page.locator('.said').first().waitFor();
    const index = partOf(demo, 'index');
    const at = index.pairs.id.indexOf('coding-2');
    const chunks = index.chunks.filter((c) => c <= index.pairs.place[at]);
    const answers = partOf(demo, `c${chunks.length - 1}-1`)[index.pairs.place[at] - chunks.at(-1)];
    assert.ok(answers.length === 6 && answers.every((a) => a.span), JSON.stringify(answers));
    for (const a of answers) {
      const part = a.reply.slice(...a.span);
      // both scores stand in it, each by its slot, and nothing before them
      const scores = a.order === '12' ? a.scores : [...a.scores].reverse();
      assert.deepEqual([...part.matchAll(/: (\d+(?:\.\d+)?)/g)].map((m) => Number(m[1])), scores);
      assert.ok(part.length < a.reply.length);
    }
    await page.evaluate(() => document.querySelectorAll('.said details').forEach((d) => { d.open = true; }));
    assert.equal(await page.locator('.said mark.read-here').count(), 6);
    const whole = () => page.locator('.said .reply').first().evaluate((e) => e.textContent);
    assert.ok((await text(page, '.said mark')).length > 5);
    assert.deepEqual(await axeFaults(page), []);
    await page.keyboard.press('r');
    await page.locator('.said .reply .raw').first().waitFor();
    const replies = answers.map((a) => a.reply);
    assert.ok(replies.includes(await whole()), 'the raw reply is whole');
  }));

await check('pairs whose texts name a model can be filtered', async () => {
  shop.lines('named.jsonl', [
    { id: 'says', question: 'Who?', answer_1: 'I am Vicuna, as you know.', answer_2: 'Nobody.', model_1: 'vicuna-13b', model_2: 'elm' },
    { id: 'server', question: 'Who?', answer_1: 'As an AI language model, I cannot.', answer_2: 'Nobody.', model_1: 'oak', model_2: 'elm' },
    { id: 'no', question: 'Who?', answer_1: 'A vicunary word.', answer_2: 'Elmwood.', model_1: 'oak', model_2: 'elm' },
  ]);
  shop.run('run', 'named.jsonl', '-j', SIM, '-o', 'named.db', '-q');
  const file = shop.report('named', ['named']);
  assert.equal(partOf(file, 'index').pairs.leak, '110');
  await using(file, {}, async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await page.getByLabel('Identity leak').selectOption('yes');
    assert.match(page.url(), /leak=yes/);
    assert.deepEqual((await page.locator('table.pairs tbody a').allInnerTexts()).sort(), ['says', 'server']);
    await page.getByLabel('Identity leak').selectOption('no');
    assert.deepEqual(await page.locator('table.pairs tbody a').allInnerTexts(), ['no']);
  });
});

await check('--max-size keeps the most telling texts and says how many', async () => {
  const file = shop.report('small', ['demo'], '--max-size', '0');
  assert.equal(partOf(file, 'index').placed, 0);
  await using(file, { hash: '#pair=coding-2' }, async (page) => {
    assert.match(await text(page, '#pair'), /not in this file/);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    assert.match(await text(page, 'footer'), /texts of 0 of 48 pairs/);
  });
});

// ---- other shapes of data ----

await check('several ledgers on the same data', async () => {
  shop.run('run', pairsFile, '-j', 'longest', '-o', 'longest.db', '-q');
  shop.run('run', pairsFile, '-j', SIM, '-m', 'vanilla', '-o', 'vanilla.db', '-q');
  await using(shop.report('three', ['demo', 'longest', 'vanilla']), {}, async (page) => {
    await assertCharts(page, 10);
    assert.match(await text(page, '.subtitle'), /3 judges; 48 pairs/);
    assert.equal((await tableRows(page, 'judges')).length, 3);
    await page.getByLabel('Judge shown in detail').selectOption('longest');
    assert.match(page.url(), /judge=longest/);
    await page.getByRole('button', { name: /^Judges disagree/ }).click();
    await page.locator('table.pairs tbody a').first().click();
    await page.locator('.said').first().waitFor();
    await page.locator('#pair .judge-choice select').selectOption({ index: 0 });
    await page.waitForFunction(() => document.querySelectorAll('.said').length === 6);
    assert.deepEqual(await axeFaults(page), []);
  });
});

await check('split and merge', async () => {
  shop.run('run', pairsFile, '-j', SIM, '-m', 'portia', '--labels', labelsFile, '-o', 'portia.db', '-q');
  await using(shop.report('portia', ['portia']), {}, async (page) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const stages = (await tableRows(page, 'portia')).map((r) => r[0]);
    assert.deepEqual(stages, ['plain', 'length', 'semantic']);
  });
});

const shapes = {
  'one pair': () => recorded(shop, 'one', 1, ['j'], () => '1'),
  'all failed': () => recorded(shop, 'failed', 5, ['j'], () => null),
  'one class': () => recorded(shop, 'class', 40, ['j'], () => '1', '1'),
  'twelve judges': () =>
    recorded(shop, 'twelve', 60, Array.from({ length: 12 }, (_, i) => `judge-${i} of a rather long name`),
      (judge, i, order) => ['1', '2', 'tie'][(i * 7 + judge.length + judge.charCodeAt(6) + (order === '12' ? 0 : i % 2)) % 3], '2'),
};
for (const [name, make] of Object.entries(shapes)) {
  await check(`it makes sense of: ${name}`, async () => {
    make();
    const ledger = { 'one pair': 'one', 'all failed': 'failed', 'one class': 'class', 'twelve judges': 'twelve' }[name];
    await using(shop.report(ledger, [ledger]), {}, async (page) => {
      const body = await text(page, 'body');
      assert.doesNotMatch(body, /NaN|null|\[object/);
      if (name === 'all failed') {
        assert.match(body, /no pair has a ruling/);
        assert.match(body, /undefined/);
        assert.doesNotMatch(await text(page, '#won'), /\b0 %/);
      }
      if (name === 'one class') assert.match(await text(page, '#people'), /Kappa is undefined/);
      assert.deepEqual(await axeFaults(page), []);
      await assertNoSideways(page);
    });
  });
}

await check('a run in which nothing was asked yet', async () => {
  shop.fails('run', pairsFile, '-j', SIM, '-o', 'empty.db', '-q', '--limit', '0');
  await using(shop.report('empty', ['empty']), {}, async (page) => {
    assert.match(await text(page, '.warning'), /48 of 48 pairs have no ruling \(48: not asked\)/);
    assert.doesNotMatch(await text(page, 'body'), /NaN|null|\[object/);
    assert.deepEqual(await axeFaults(page), []);
  });
});

// ---- hostile texts ----

hostileFiles(shop);
const hostile = shop.report('hostile', ['hostile']);

await check('nothing in a text ends an element of the file', () => {
  const html = readFileSync(hostile, 'utf8');
  const tags = [...html.matchAll(/<(\/?)script/gi)].length;
  const index = partOf(hostile, 'index');
  const chunks = index.chunks.length * (1 + index.judges.length);
  assert.equal(tags, 2 * (chunks + 3)); // the index, the script, the licences
  assert.equal([...html.matchAll(/<!--/g)].length, 0);
});

const opened = await openFile(browser, hostile);
for (const name of Object.keys(hostileAnswers)) {
  await check(`harmless: ${name}`, async () => {
    const { page } = opened;
    const id = name === 'scripts' ? '"><script>pwned=1</script>' : `h-${name}`;
    await page.evaluate((pair) => { location.hash = `pair=${encodeURIComponent(pair)}`; }, id);
    await page.waitForFunction(
      (pair) => document.querySelector('#pair h1')?.textContent.includes(pair) && document.querySelector('#pair .said'), id);
    for (const key of ['', 'r', 'r', 'v']) {
      if (key) await page.keyboard.press(key);
      await page.evaluate(() => document.querySelectorAll('#pair details').forEach((d) => { d.open = true; }));
      await page.waitForTimeout(60);
      const found = await page.evaluate(() => ({
        pwned: globalThis.pwned,
        bad: [...document.querySelectorAll('img, iframe, object, embed, form, video, audio, base, link, #pair style, #pair script, [style*="fixed"]')].map((e) => e.outerHTML.slice(0, 80)),
        links: [...document.querySelectorAll('a')].filter((a) => !a.getAttribute('href').startsWith('#')).length,
        handlers: [...document.querySelectorAll('#pair *')].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
      }));
      assert.deepEqual(found, { pwned: undefined, bad: [], links: 0, handlers: 0 });
      await assertNoSideways(page);
    }
    assert.deepEqual(await axeFaults(page), []);
    assert.deepEqual(await opened.faults(), []);
  });
}
await opened.context.close();

await check('math is drawn once, and what KaTeX refuses stays readable', () =>
  using(hostile, { hash: '#pair=h-math' }, async (page) => {
    await page.locator('#pair .answer math').first().waitFor();
    const seen = await page.evaluate(() => {
      const answer = document.querySelector('#pair .answer .text');
      return {
        math: answer.querySelectorAll('math').length,
        annotations: answer.querySelectorAll('annotation').length,
        fallback: [...answer.querySelectorAll('code')].map((c) => c.textContent),
        money: answer.textContent.includes('Costs $5 or $6.'),
      };
    });
    assert.ok(seen.math >= 2, JSON.stringify(seen));
    assert.equal(seen.annotations, 0);
    assert.ok(seen.money);
    assert.ok(seen.fallback.includes('\\unknownmacro{1}'));
  }));

await check('entities are decoded, and only those that exist', () =>
  using(hostile, { hash: '#pair=h-entities' }, async (page) => {
    await page.locator('#pair .answer').first().waitFor();
    assert.equal((await text(page, '#pair .answer .text')).trim(), '\u00a9 & A B &notanentity; <b>');
  }));

await check('a long text is shown in slices, with its size said', () =>
  using(hostile, { hash: '#pair=h-long' }, async (page) => {
    await page.locator('#pair .answer').first().waitFor();
    assert.match(await text(page, '#pair .answer .note'), /50,000 of 280,000 characters/);
    await page.getByRole('button', { name: /Show the next/ }).click();
    assert.match(await text(page, '#pair .answer .note'), /100,000 of 280,000/);
  }));

await check('the raw view names what cannot be seen', () =>
  using(hostile, { hash: '#pair=h-bidi' }, async (page) => {
    await page.locator('#pair .answer').first().waitFor();
    await page.keyboard.press('r');
    await page.locator('#pair .answer .raw').first().waitFor();
    const marks = await page.locator('#pair .answer').first().locator('.hidden-mark').allTextContents();
    for (const wanted of ['U+202E', 'U+202C', 'U+2066', 'U+200B', 'U+FEFF', '\u2192\t', '\u00b7\u00b7'])
      assert.ok(marks.includes(wanted), `${wanted} in ${marks}`);
  }));

await check('a damaged part is named, and the rest works', async () => {
  const file = shop.at('damaged.html');
  const html = readFileSync(demo, 'utf8');
  writeFileSync(file, html.replace(/(id="c0-0">).{40}/, `$1${'A'.repeat(40)}`));
  await using(file, { hash: '#pair=coding-2' }, async (page) => {
    await page.locator('[role="alert"]').waitFor();
    assert.match(await text(page, '[role="alert"]'), /cannot be shown/);
  });
});

await check('an unknown pair is said, not guessed', () =>
  using(demo, { hash: '#pair=nobody' }, async (page) => {
    assert.match(await text(page, '[role="alert"]'), /No pair is called nobody/);
  }));

await check('errors of the command are one line', () => {
  const failing = (...args) => shop.fails('report', ...args);
  assert.match(failing('none.db', '-o', 'x.html'), /^6 evenhand report: none\.db: [^\n]*$/);
  assert.match(failing('demo.db', '-o', 'no/such/folder.html'), /^6 evenhand report: no\/such\/folder\.html: No such file[^\n]*$/);
  assert.match(failing('demo.db'), /^2 evenhand report: missing -o FILE\.html[^\n]*$/);
  assert.match(failing('demo.db', '-o', 'longest.db'), /^2 evenhand report: longest\.db is a ledger; -o names the page to write$/);
  assert.match(failing('demo.db', '-o', '/dev/full'), /^6 evenhand report: \/dev\/full: No space left on device$/);
  assert.ok(statSync('/dev/full').isCharacterDevice());
  assert.ok(!existsSync(shop.at('x.html')));
});

// ---- recorded judgments of real judges ----

// The page's own numbers once more from the rows, by plain loops: one sample an order,
// ruled by the mean scores where there are scores and by votes elsewhere.
function recompute(rows, pairs, labels, name) {
  const own = rows.filter((r) => r.judge === name);
  const verdicts = new Map();
  const gaps = new Map();
  for (const r of own) {
    verdicts.set(`${r.pair_id} ${r.order}`, r.verdict);
    gaps.set(`${r.pair_id} ${r.order}`, r.score_1 == null ? null : r.score_1 - r.score_2);
  }
  const slots = Array(9).fill(0);
  const byCategory = new Map();
  const confusion = Array(9).fill(0);
  const cls = { 1: 0, 2: 1, tie: 2 };
  const mirror = { 1: '2', 2: '1', tie: 'tie' };
  const slot = (v) => ({ 1: 0, tie: 1, 2: 2 })[v];
  const vote = (v) => ({ 1: 1, tie: 0, 2: -1 })[v];
  const rulings = new Map();
  for (const pair of pairs) {
    const a = verdicts.get(`${pair.id} 12`);
    const b = verdicts.get(`${pair.id} 21`);
    if (a === undefined && b === undefined) continue;
    const category = byCategory.get(pair.category) ?? { n: 0, both: 0, conflicts: 0 };
    byCategory.set(pair.category, category);
    category.n++;
    if (!a || !b) continue;
    slots[slot(a) * 3 + slot(mirror[b])]++;
    category.both++;
    category.conflicts += a !== b;
    const gap = gaps.get(`${pair.id} 12`);
    const sum = gap == null ? vote(a) + vote(b) : (gap + gaps.get(`${pair.id} 21`)) / 2;
    const ruling = sum > 1e-9 ? '1' : sum < -1e-9 ? '2' : 'tie';
    rulings.set(pair.id, ruling);
    const label = labels.get(pair.id);
    if (label) confusion[cls[ruling] * 3 + cls[label]]++;
  }
  return { slots, byCategory, confusion, rulings };
}

function kappaOf(one, two) {
  const both = [...one.keys()].filter((id) => two.has(id));
  const share = (map, c) => both.filter((id) => map.get(id) === c).length / both.length;
  const agreement = both.filter((id) => one.get(id) === two.get(id)).length / both.length;
  const chance = ['1', '2', 'tie'].reduce((sum, c) => sum + share(one, c) * share(two, c), 0);
  return { n: both.length, kappa: (agreement - chance) / (1 - chance) };
}

function assertRecomputed(file, folder) {
  const rows = readLines(path.join(folder, 'judgments.jsonl'));
  const pairs = readLines(path.join(folder, 'pairs.jsonl'));
  const labelFile = path.join(folder, 'labels.jsonl');
  const labels = new Map(existsSync(labelFile) ? readLines(labelFile).map((l) => [l.pair_id, l.label]) : []);
  const index = partOf(file, 'index');
  const mine = index.judges.map((j) => recompute(rows, pairs, labels, j.name));
  for (const [i, judge] of index.judges.entries()) {
    assert.deepEqual(judge.slots, mine[i].slots, judge.name);
    assert.deepEqual(judge.people.confusion, mine[i].confusion, judge.name);
    for (const g of judge.categories) {
      const c = mine[i].byCategory.get(g.name);
      assert.equal(g.n, c.n);
      assert.ok(Math.abs((g.conflict.value ?? 0) - (c.both ? c.conflicts / c.both : 0)) < 1e-12);
    }
  }
  let compared = 0;
  for (const t of index.twos) {
    const k = kappaOf(mine[t.a].rulings, mine[t.b].rulings);
    assert.equal(t.n, k.n);
    if (k.n === 0) continue;
    assert.ok(Math.abs(t.kappa - k.kappa) < 1e-9, `${t.kappa} ${k.kappa}`);
    compared++;
  }
  assert.ok(compared >= 10);
}


const shared = process.env.EVENHAND_SHARED ?? path.join(source, '../shared');
for (const set of ['judgebench', 'mtbench_repeat']) {
  const folder = path.join(shared, 'data', set);
  if (!existsSync(folder)) {
    console.log(`# ${set}: skipped, there is no ${folder}`);
    continue;
  }
  const labels = path.join(folder, 'labels.jsonl');
  await check(`recorded: ${set}`, async () => {
    shop.run('import', 'judgments', path.join(folder, 'judgments.jsonl'), '--pairs', path.join(folder, 'pairs.jsonl'),
      ...(existsSync(labels) ? ['--labels', labels] : []), '-o', `${set}.db`);
    const file = shop.report(set, [set]);
    assert.ok(statSync(file).size < 10e6);
    if (set === 'judgebench') assertRecomputed(file, folder);
    await using(file, {}, async (page) => {
      await assertCharts(page, 9);
      await page.locator('#budget').fill('30');
      assert.match(await text(page, '.slider-words'), /^\s*30 % of pairs/);
      await page.locator('table.pairs tbody a').first().click();
      await page.locator('.said').first().waitFor();
      assert.equal(await page.locator('#pair .answer').count(), 2);
      assert.deepEqual(await axeFaults(page), []);
      await page.getByRole('link', { name: 'Back to the list' }).click();
      assert.deepEqual(await axeFaults(page), []);
      await assertNoSideways(page);
    });
  });
}

await browser.close();
shop.remove();
finish();
