// SPDX-License-Identifier: MIT
//
// The owner's page in a browser:  node owner.mjs EVENHAND
//
// Three people label through the interface, in a way that the test knows; what the page
// says of them is held against numbers that are computed here.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { axeFaults, check, findChromium, finish, launch, openServed, skipAll } from './browser.mjs';
import { workshop } from './data.mjs';
import { Desk } from './desk.mjs';

if (!findChromium()) skipAll('there is no Chromium');
const evenhand = path.resolve(process.argv[2]);
const shop = workshop(evenhand);
const browser = await launch();
const HOSTILE = '<img src=x onerror=alert(1)>"\'`${1}';
const PEOPLE = ['ann', 'bob', 'cy'];
const N_PAIRS = 30;
const VERDICTS = ['1', '2', 'tie'];

const pairs = Array.from({ length: N_PAIRS }, (_, i) => ({
  id: `${HOSTILE}-${i}`,
  question: i === 3 ? `${HOSTILE} question 3` : `Question ${i}`,
  answer_1: `First answer to ${i}. ${i === 3 ? HOSTILE : ''}`,
  answer_2: `Second answer to ${i}.`,
  model_1: `zebra-${HOSTILE}`,
  model_2: 'quagga-2',
}));

// What person p says of pair i: ann is steady, the others follow her mostly.
function verdictOf(p, i) {
  const ann = i % 3;
  if (p === 1 && i % 5 === 0) return VERDICTS[(ann + 1) % 3];
  if (p === 2 && i % 7 === 1) return VERDICTS[(ann + 2) % 3];
  return VERDICTS[ann];
}

function fleiss() {
  let agreed = 0;
  const totals = [0, 0, 0];
  for (let i = 0; i < N_PAIRS; i++) {
    const counts = VERDICTS.map((v) => PEOPLE.filter((_, p) => verdictOf(p, i) === v).length);
    counts.forEach((c, k) => { totals[k] += c; });
    agreed += counts.reduce((s, c) => s + c * (c - 1), 0) / (PEOPLE.length * (PEOPLE.length - 1));
  }
  const chance = totals.reduce((s, t) => s + (t / (N_PAIRS * PEOPLE.length)) ** 2, 0);
  return (agreed / N_PAIRS - chance) / (1 - chance);
}

const differing = pairs
  .map((_, i) => i)
  .filter((i) => new Set(PEOPLE.map((_, p) => verdictOf(p, i))).size > 1);

// ---- people, without a page ----

async function join(link) {
  const joined = await fetch(link, { redirect: 'manual' });
  return { origin: new URL(link).origin, cookie: joined.headers.get('set-cookie').split(';')[0] };
}

async function ask(person, where, body) {
  const answer = await fetch(person.origin + where, {
    method: body ? 'POST' : 'GET',
    headers: { Cookie: person.cookie, Origin: person.origin, 'Content-Type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

const numberOf = (item) => Number(/(?:question|answer to) (\d+)/i.exec(item.question + item.a)[1]);

function choiceFor(item, verdict) {
  if (verdict === 'tie') return 'tie';
  return item.a.startsWith('First') === (verdict === '1') ? 'A' : 'B';
}

async function labelAll(link, p, most = Infinity) {
  const person = await join(link);
  for (let n = 0; n < most; ) {
    const { items } = (await ask(person, '/api/items')).body;
    if (!items.length) return;
    for (const item of items.slice(0, most - n)) {
      const choice = choiceFor(item, verdictOf(p, numberOf(item)));
      const note = p === 0 ? HOSTILE : undefined;
      const sent = await ask(person, '/api/label', { item: item.id, label_id: randomUUID(), choice, note });
      assert.equal(sent.status, 200);
      n++;
    }
  }
}

const rowsOf = (file) => readFileSync(file, 'utf8').trim().split('\n').map((l) => JSON.parse(l));

function labelRows() {
  shop.run('labels', 'run.db', 'export', 'labels.jsonl');
  return rowsOf(shop.at('labels.jsonl'));
}

// ---- the desk ----

shop.lines('pairs.jsonl', pairs);
shop.run('run', 'pairs.jsonl', '-j', 'sim:first=1,noise=1', '-q', '-o', 'run.db');
const desk = new Desk(evenhand, shop.at('run.db'), [
  '--budget', '100%', '--labels-per-pair', '3', '--annotators', PEOPLE.join(','), '--selection', 'random',
]);
await desk.start();
await labelAll(desk.links.ann, 0, 12);

const refused = { expects: /status of 4\d\d|ERR_INTERNET_DISCONNECTED|Failed to fetch/ };
const { context, page, faults } = await openServed(browser, desk.links.owner, refused);
const says = (text) => page.getByText(text).first().waitFor({ timeout: 15_000 });
const read = (selector) => page.locator(selector).first().innerText();

await check('before there is enough, the page says what is missing', async () => {
  await says('needs at least 2 annotators on 20 shared pairs');
  assert.match(await read('#queue .lead'), /^0 of 30 pairs have all their labels/);
  assert.match(await page.locator('#people tr', { hasText: 'ann' }).innerText(), /12/);
  assert.equal(new URL(page.url()).pathname, '/owner');
});

await check('numbers come by themselves, and kappa is right', async () => {
  await labelAll(desk.links.ann, 0);
  await labelAll(desk.links.bob, 1);
  await labelAll(desk.links.cy, 2);
  await says('30 of 30 pairs have all their labels: done');
  const wanted = fleiss().toFixed(2);
  assert.match(await read('#agreement .lead'), new RegExp(`^Fleiss' kappa ${wanted.replace('.', '\\.')} \\(95`));
  assert.match(await read('#agreement .lead'), /30 pairs, 3 people/);
  assert.match(await read('#differ .lead'), new RegExp(`^On ${differing.length} pairs`));
  const row = await page.locator('#people tr', { hasText: 'bob' }).innerText();
  assert.match(row, /n\s=\s20/); // ten of thirty are ties
});

await check('no serious finding of axe, light and dark, wide and narrow', async () => {
  for (const colorScheme of ['light', 'dark'])
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.waitForTimeout(200); // buttons fade
      assert.deepEqual(await axeFaults(page), []);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(sideways <= 0, `${sideways} px wider than the window`);
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
});

await check('disagreements are settled by key, blind, as one more label', async () => {
  const seen = [];
  page.on('response', async (r) => {
    if (r.url().includes('/api/owner/disagreements')) seen.push(await r.text());
  });
  await page.getByRole('button', { name: 'Settle them' }).click();
  await page.locator('.settle .answer').first().waitFor();
  assert.deepEqual(await axeFaults(page), []);
  for (const text of [await page.content(), ...seen])
    for (const secret of ['zebra', 'quagga', 'bpde', '"score']) assert.ok(!text.includes(secret), secret);
  // a look at the judge is asked for twice, and marks the label on this pair alone
  const show = page.getByRole('button', { name: 'Show what the judges said' });
  const group = page.getByRole('group', { name: 'What the judges said' });
  await show.click();
  await page.getByRole('button', { name: 'Stay blind' }).click();
  await show.click();
  assert.deepEqual(await axeFaults(page), []);
  assert.equal(await group.count(), 0);
  await page.getByRole('button', { name: 'Look all the same' }).click();
  await group.waitFor();
  assert.match(await group.innerText(), /sim:[^]*(A is better|B is better|a tie|no ruling)/);
  assert.deepEqual(await axeFaults(page), []);
  for (let left = differing.length; left > 0; left--) {
    await page.getByRole('heading', { name: new RegExp(`^Pair 1 of ${left}:`) }).waitFor();
    await group.waitFor({ state: left === differing.length ? 'attached' : 'detached' });
    await page.waitForTimeout(450);
    const key = left % 3 === 0 ? '0' : String(left % 3);
    await page.keyboard.press(key);
    await page.keyboard.press(key); // by mistake: it must not settle the next pair
  }
  await says('Nowhere so far');
  const rows = labelRows();
  assert.equal(rows.length, 3 * N_PAIRS + differing.length);
  const settled = rows.filter((r) => r.adjudicated);
  assert.equal(settled.filter((r) => r.unblind).length, 1);
  assert.equal(rows.filter((r) => r.unblind).length, 1);
  assert.deepEqual(
    settled.map((r) => Number(r.pair_id.split('-').at(-1))).sort((a, b) => a - b),
    differing,
  );
});

await check('a pause reaches people, and ends', async () => {
  const ann = await join(desk.links.ann);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await says('Paused: people see that');
  assert.equal((await ask(ann, '/api/state')).body.paused, true);
  await page.getByRole('button', { name: 'Let people go on' }).click();
  await says('Pausing stops new pairs');
  assert.equal((await ask(ann, '/api/state')).body.paused, false);
});

await check('instructions are previewed, saved, and told', async () => {
  await page.locator('#instructions').getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Instructions (Markdown)').fill(`Look at **facts**. ${HOSTILE}`);
  assert.equal(await page.locator('.told strong').innerText(), 'facts');
  await page.locator('#instructions').getByRole('button', { name: 'Save' }).click();
  await page.locator('#instructions').getByRole('button', { name: 'Change' }).waitFor();
  const ann = await join(desk.links.ann);
  assert.match((await ask(ann, '/api/state')).body.instructions.text, /^Look at \*\*facts\*\*/);
});

await check('a new person gets a link, a known one a new link', async () => {
  await page.getByText('Invite somebody, or make a new link').click();
  await page.getByLabel('Name').fill('dee');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dee = await page.locator('#new-link').inputValue();
  assert.equal((await ask(await join(dee), '/api/state')).body.name, 'dee');
  const before = await join(desk.links.ann);
  await page.getByLabel('Name').fill('ann');
  await page.getByText('The link that this person has now stops working').waitFor();
  await page.getByRole('button', { name: 'Make a new link' }).click();
  await page.waitForFunction((old) => document.querySelector('#new-link')?.value !== old, dee);
  assert.equal((await ask(before, '/api/state')).status, 401);
  const ann = await page.locator('#new-link').inputValue();
  assert.equal((await ask(await join(ann), '/api/state')).body.name, 'ann');
});

await check('a bad name is refused in words', async () => {
  await page.getByLabel('Name').fill('owner');
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.locator('#people .fault').waitFor();
  assert.match(await read('#people .fault'), /is not the owner/);
});

await check('labels are taken away with and without names', async () => {
  for (const [name, who] of [['Labels (JSONL)', 'ann'], ['Labels without names (JSONL)', 'annotator-1']]) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name, exact: true }).click(),
    ]);
    const file = shop.at(`download-${who}`);
    await download.saveAs(file);
    const rows = rowsOf(file);
    assert.equal(rows.length, 3 * N_PAIRS + differing.length);
    assert.ok(rows.some((r) => r.annotator === who));
  }
});

await check('without a connection it says so, and comes back', async () => {
  await context.setOffline(true);
  await says('No connection to the server');
  await context.setOffline(false);
  await page.getByText('No connection to the server').waitFor({ state: 'detached', timeout: 15_000 });
});

await check('an annotator has no owner page', async () => {
  const other = await browser.newContext();
  const tab = await other.newPage();
  await tab.goto(desk.links.bob);
  await tab.goto(`${desk.origin}/owner`);
  await tab.locator('.fault').first().waitFor();
  assert.equal(await tab.locator('section').count(), 0);
  await other.close();
});

await check('no console line, policy violation, dialog or foreign request', async () => {
  assert.deepEqual(await faults(), []);
});

await context.close();
await browser.close();
await desk.stop();
shop.remove();
finish();
