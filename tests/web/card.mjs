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
    await page.waitForFunction(() => document.activeElement.id.startsWith('row-'));
  }));

// The sentence is there twice in the changed answer: only the record knows which one is
// new. It counts in bytes, and the answer begins with what is longer there.
const twice = 'It stood there. ';
const opening = '\u{1F600} \u00e4 Number one. ';
const once = { id: 'a', question: 'What of it?', answer_1: `${opening}${twice}So it stayed.`, answer_2: 'Little is known.' };
shop.lines('once.jsonl', [once, { ...once, id: 'b' }]);
shop.lines('twice.jsonl', [
  { ...once, perturbed: 1, answer_1: `${opening}${twice}${twice}So it went.`, edits: [
    { at: Buffer.byteLength(opening), removed: 0, inserted: twice },
    { at: Buffer.byteLength(`${opening}${twice}`), removed: Buffer.byteLength('So it stayed.'), inserted: 'So it went.' },
  ] },
  { ...once, id: 'b', perturbed: 1, answer_1: `${opening}${twice}${twice}So it went.` },
]);
shop.run('audit', 'once.jsonl', '-j', LOVER, '--probes', 'mine:oversight=twice.jsonl', '-o', 'twice.db', '-q');
const told = shop.report('twice', ['twice']);

await check('what changed is told by the record where there is one', () =>
  using(told, { hash: '#pairs&probe=mine' }, async (page) => {
    for (const id of ['a', 'b']) {
      await page.locator('table.pairs tbody a', { hasText: id }).first().click();
      await page.locator('.diff').waitFor();
      const parts = await page.locator('.diff').evaluate((d) =>
        [...d.childNodes].map((n) => [n.nodeName, n.textContent]));
      if (id === 'a') assert.deepEqual(parts.slice(0, 2), [['SPAN', opening], ['INS', twice]]);
      else assert.notEqual(parts[0][1], opening);
      assert.deepEqual(parts.slice(-3).map(([name, t]) => [name, t.trim()]),
        [['DEL', 'stayed'], ['INS', 'went'], ['SPAN', '.']]);
      await page.getByRole('link', { name: 'Back to the list' }).click();
    }
  }));

await check('by keyboard alone', () =>
  using(lover, {}, async (page) => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the pairs');
    await page.locator('table.pairs tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.diff').waitFor();
    const first = await text(page, '#pair-h');
    await page.waitForFunction(() => document.activeElement.id === 'pair-h');
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

// ---- attacks, authors, people, two dates: each line is held against `show --json` ----

const shown = (name) => JSON.parse(shop.run('show', `${name}.db`, '--json')).judges;
const whole = (share) => (100 * share).toFixed(0).replace(/^-0$/, '0');
const signed = (share) => (whole(share).startsWith('-') ? whole(share) : `+${whole(share)}`);
const range = (r) => `${whole(r.low)} to ${whole(r.high)}`;

// What stands in a group of lines: its name, the place of its dot, and its words.
function linesOf(page, part, title) {
  return page.locator(`#${part} h3`, { hasText: title }).locator('xpath=following-sibling::ul[1]').locator('li:not(.line-head)')
    .evaluateAll((all) => all.map((li) => ({
      name: li.querySelector('.line-name').firstChild.textContent,
      state: li.querySelector('.state-word')?.textContent,
      at: li.querySelector('.dot')?.getAttribute('cx'), tick: li.querySelector('.tick')?.getAttribute('x1'),
      words: li.querySelector('.line-words').textContent, more: li.querySelector('small').textContent,
      label: li.querySelector('svg.dot-line')?.getAttribute('aria-label'),
    })));
}

function assertShare(line, scored) {
  const r = scored[scored.susceptibility ? 'susceptibility' : 'oversight'];
  assert.equal(line.words, r.hits === 0
    ? `0 of ${r.n}; could be up to ${Math.ceil(100 * r.asr.high)} in 100`
    : `${whole(r.asr.value)} of 100 (95 %: ${range(r.asr)})`);
  assert.equal(line.more,
    `placebo ${whole(r.placebo.value)}; difference ${signed(r.difference.value)} (${range(r.difference)}); ${r.n} of ${scored.pairs} pairs`);
  assert.equal(line.at, `${(100 * r.asr.value).toFixed(2)}%`);
  assert.equal(line.tick, `${(100 * r.placebo.value).toFixed(2)}%`);
  assert.ok(line.label.includes(line.words), line.label);
}

// Model strong against two others, by turns.
shop.lines('models.jsonl', pairs.map((p, i) => ({ ...p, model_1: 'gpt-strong', model_2: i % 2 ? 'claude-weak' : 'gpt-weak' })));

await check('attacks: turned, placebo and difference, votes and the lead, with their states', async () => {
  shop.run('audit', 'models.jsonl', '-j', 'sim:refs=3,noise=.5', '--attack', 'references,rich_content,both',
    '--anchor', 'gpt-strong', '-o', 'attack.db', '-q');
  const { attack } = Object.values(shown('attack'))[0];
  assert.equal(attack.sets.length, 2);
  await using(shop.report('attack', ['attack']), {}, async (page) => {
    for (const [attackName, title] of [['references', /with fake references$/], ['rich_content', /with rich formatting$/], ['both', /references and rich/]]) {
      const lines = await linesOf(page, 'attacks', title);
      assert.deepEqual(lines.map((l) => l.name), attack.sets.map((s) => s.weaker)); // by the lead
      lines.forEach((line, i) => {
        assertShare(line, attack.sets[i].attacks[attackName]);
        assert.equal(line.state.toLowerCase().replaceAll(' ', '_'), attack.sets[i].attacks[attackName].state);
      });
    }
    const leads = await linesOf(page, 'attacks', /how the anchor stands/);
    leads.forEach((line, i) => {
      const r = attack.sets[i].anchor_rate;
      assert.equal(line.words, `${whole(r.value)} of 100 (95 %: ${range(r)})`);
      assert.equal(line.at, `${(100 * r.value).toFixed(2)}%`);
    });
    const votes = await page.locator('#attacks table').first().locator('tbody tr').evaluateAll((all) =>
      all.map((tr) => [...tr.children].slice(0, 6).map((c) => c.textContent)));
    assert.deepEqual(votes, attack.sets.map((s) =>
      [s.weaker, ...[s.pairs, s.votes.anchor, s.votes.tie, s.votes.weaker, s.votes.failed].map(String)]));
    // no probe was asked: the attacks stand above the small print
    assert.equal(await page.evaluate(() =>
      !!(document.querySelector('#attacks').compareDocumentPosition(document.querySelector('.foot-line')) & 4)), true);
    assert.match(await text(page, '.uses'), /weaker answers dressed up with fake references/);
    assert.match(await text(page, '.foot-line'), /over 6 attacks/);
    assert.deepEqual(await axeFaults(page), []);
    await assertNoSideways(page);
  });
});

await check('attacks on a judge that cannot be read have no dots', async () => {
  shop.run('audit', 'models.jsonl', '-j', 'sim:first=-9,spread=0', '--attack', 'both', '--anchor', 'gpt-strong', '-o', 'blind.db', '-q');
  await using(shop.report('blind', ['blind']), {}, async (page) => {
    assert.match(await text(page, '#attacks .part-text'), /cannot be read: it picks the second answer/);
    for (const line of await linesOf(page, 'attacks', /Dressed up with/)) {
      assert.equal(line.state, 'Cannot be read');
      assert.equal(line.at, undefined);
      assert.match(line.words, /^(not shown|no pair counts)$/);
    }
  });
});

await check('authors: own against others, people on the same pairs, each probe by family', async () => {
  shop.run('audit', 'models.jsonl', '-j', 'sim:own=1,family=gpt,noise=.5,refs=2', '--probes', 'references', '-o', 'own.db', '-q');
  const labels = pairs.slice(0, 60).map((p, i) => ({ pair_id: p.id, annotator: 'ann', label: i % 3 ? 1 : 2 }));
  shop.lines('labels.jsonl', labels);
  shop.run('labels', 'own.db', 'import', 'labels.jsonl');
  const { authors } = Object.entries(shown('own')).find(([name]) => name !== 'people')[1];
  const self = authors.self_preference;
  assert.ok(self.mixed_pairs > 0 && self.labelled_pairs > 0);
  await using(shop.report('own', ['own']), {}, async (page) => {
    const own = await linesOf(page, 'authors', /An answer of its own/);
    [self.own_rate, self.own_rate_labelled, self.people_rate].forEach((r, i) => {
      assert.equal(own[i].words, `${whole(r.value)} of 100 (95 %: ${range(r)})`);
      assert.equal(own[i].at, `${(100 * r.value).toFixed(2)}%`);
    });
    assert.equal(own[0].more, `${self.mixed_pairs} plain pairs`);
    const probe = authors.probes.references;
    const lines = await linesOf(page, 'authors', /fake references, by who wrote/);
    assert.deepEqual(lines.map((l) => l.name.replace(' (own)', '')), Object.keys(probe.by_family));
    for (const line of lines) {
      assert.equal(line.name.endsWith('(own)'), probe.by_family[line.name.replace(' (own)', '')].own);
      assertShare(line, probe.by_family[line.name.replace(' (own)', '')]);
    }
    const d = probe.own_less_others;
    assert.match(await page.locator('#authors').innerText(), new RegExp(
      `own less others: \\${signed(d.value)} in 100 \\(${range(d)}\\)`));
    assert.match(await page.locator('#authors').innerText(), /Families are read from names/);
    assert.deepEqual(await axeFaults(page), []);
  });
});

await check('people are a judge: who voted, what was left out, all votes and halves', async () => {
  shop.run('audit', 'pairs.jsonl', '--probes', 'references', '--no-judge', '-o', 'people.db');
  const votes = pairs.flatMap((p, i) => Array.from({ length: 6 }, (_, k) => [
    { pair_id: p.id, annotator: `a${k}`, label: (i + k) % 7 < 5 ? 1 : 2, side: k % 2 ? '12' : '21', familiar: !(i === 4 && k === 0) },
    { pair_id: `${p.id}~references`, annotator: `a${k}`, label: (3 * i + k) % 7 < 3 ? 'tie' : 1, side: k % 2 ? '12' : '21' },
  ])).flat();
  shop.lines('votes.jsonl', votes);
  shop.run('labels', 'people.db', 'import', 'votes.jsonl');
  const own = shown('people').people;
  assert.equal(own.people.unfamiliar, 1);
  await using(shop.report('people', ['people']), {}, async (page) => {
    assert.match(await text(page, '.subtitle'), new RegExp(
      `^6 people, ${own.people.votes.toLocaleString('en')} votes that count, 5 to 6 on a pair; ${own.people.rows_labelled} of the audit.s ${own.people.rows} pairs`));
    assert.match(await page.locator('#people').innerText(), /did not know \(1\).*no vote \(0\)/);
    const { all_votes: all, susceptibility: half } = own.probes.references;
    const row = await page.locator('#people tbody tr').first().evaluate((tr) => [...tr.children].map((c) => c.textContent));
    const exact = (r) => `${(100 * r.value).toFixed(1)} (${(100 * r.low).toFixed(1)} to ${(100 * r.high).toFixed(1)})`;
    assert.deepEqual(row, ['fake references', `${all.n}`, exact(all.asr), `${half.n}`, exact(half.asr), exact(half.placebo)]);
    assert.match(await text(page, '.facts-row'), /first answer in \d+ of 100/); // their position bias
    assert.match(await text(page, '.key-line'), /the other half of the votes/);
    assert.match(await text(page, '#pairs .blank'), /votes of people/);
    assert.deepEqual(await axeFaults(page), []);
  });
});

await check('one judge at two dates: the change and its interval', async () => {
  // The same name over other pairs, so that something changes.
  shop.lines('later.jsonl', pairs.slice(0, 70));
  shop.run('audit', 'later.jsonl', '-j', LOVER, '--probes', 'references,injection', '-o', 'later.db', '-q');
  const before = card.probes.references.susceptibility.difference;
  const after = Object.values(shown('later'))[0].probes.references.susceptibility.difference;
  const d = after.value - before.value; // MOVER: Zou and Donner 2008
  const low = d - Math.hypot(after.value - after.low, before.high - before.value);
  const high = d + Math.hypot(after.high - after.value, before.value - before.low);
  const file = shop.report('dates', ['lover', 'later']);
  const { change } = partOf(file, 'index');
  const cell = change.cells.find((c) => c.name === 'references');
  for (const [key, wanted] of Object.entries({ value: d, low, high }))
    assert.ok(Math.abs(cell.change[key] - wanted) < 1e-9, `${key}: ${cell.change[key]}, not ${wanted}`);
  await using(file, {}, async (page) => {
    const cells = await page.locator('tr.change td').allInnerTexts();
    assert.equal(cells[2 + change.cells.findIndex((c) => c.name === 'references')],
      `${signed(d)} (${signed(low)} to ${signed(high)}), ${low > 0 || high < 0 ? 'beyond chance' : 'can be chance'}`);
    assert.equal(cells.filter((c) => c === 'not tested in both').length, 3);
    assert.deepEqual(await axeFaults(page), []);
  });
  assert.equal(partOf(shop.report('three', ['lover', 'later', 'slot']), 'index').change, null);
});

await check('eight probes stand above the fold, and on the first printed sheet with what follows', async () => {
  const wrong = (name, from, to) => shop.lines(`${name}.jsonl`, pairs.map((p) => ({ ...p, perturbed: 1, answer_1: p.answer_1.replace(from, to) })));
  wrong('biased', 'Nobody', 'No woman');
  shop.run('audit', 'pairs.jsonl', '-j', 'sim:refs=3,error=.5,noise=.4', '--probes',
    'references,rich_content,padding,shortening,injection,majority,factual_error=wrong.jsonl,gender=biased.jsonl', '-o', 'eight.db', '-q');
  const file = shop.report('eight', ['eight']);
  const bottom = (page, selector) => page.locator(selector).last().evaluate((e) => e.getBoundingClientRect().bottom);
  await using(file, { viewport: { width: 1280, height: 800 } }, async (page) => {
    assert.equal(await page.locator('.row').count(), 8);
    assert.ok((await bottom(page, '.row')) <= 800, `the last probe ends at ${await bottom(page, '.row')}`);
  });
  await using(file, { viewport: { width: 703, height: 1032 } }, async (page) => { // A4 within 12 mm
    await page.emulateMedia({ media: 'print' });
    assert.ok((await bottom(page, '.uses')) <= 1032, `what to use it for ends at ${await bottom(page, '.uses')}`);
    await assertNoSideways(page);
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
