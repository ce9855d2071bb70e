// SPDX-License-Identifier: MIT
//
// Screenshots of the labelling page, to be looked at, from a ledger that may be written to:
//   node label_shots.mjs EVENHAND LEDGER FOLDER [PAIRS]
// The first PAIRS (6) pairs at 1440, 1024 and 390, light and dark; then each state.
import path from 'node:path';
import { launch, openServed } from './browser.mjs';
import { Desk } from './desk.mjs';
import { press, saved, settle } from './label_common.mjs';

const [evenhand, ledger, folder, pairs = '6'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node label_shots.mjs EVENHAND LEDGER FOLDER [PAIRS]');
  process.exit(2);
}
const sizes = {
  1440: { viewport: { width: 1440, height: 900 } },
  '1024-dark': { viewport: { width: 1024, height: 768 }, colorScheme: 'dark' },
  390: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};
const names = Object.keys(sizes).map((s) => `at${s}`);
const desk = await new Desk(evenhand, ledger, ['--budget', pairs, '--selection', 'random',
  '--labels-per-pair', '9', '--annotators', names.join(), '--new-links']).start();
const browser = await launch();

for (const [size, options] of Object.entries(sizes)) {
  const { context, page } = await openServed(browser, desk.links[`at${size}`], { leaves: true, ...options });
  const shot = async (name, fullPage = false) => {
    await page.waitForTimeout(250);
    await page.screenshot({ path: path.join(folder, `${name}-${size}.png`), fullPage });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) console.log(`${name}-${size}: ${wide} pixels sideways`);
  };
  const keys = async (name, ...list) => {
    for (const key of list) await page.keyboard.press(key);
    await shot(name);
  };
  await settle(page);
  await shot('first');
  for (let i = 1; i < Number(pairs); i++) {
    await press(page, ['1', '2', '0', 's'][i % 4]);
    await settle(page);
    await shot(`pair${i}`);
    if (i === 1) {
      await keys('aligned', 'v');
      await keys('raw', 'r');
      await keys('note', 'r', 'm');
      await keys('help', 'Escape', '?');
      await keys('history', 'Escape', 'h');
      await page.keyboard.press('Escape');
      await keys('undo', 'u');
      await page.keyboard.press('Escape');
      await keys('apart', 'y');
      await page.keyboard.press('y');
    }
  }
  await saved(page);
  await context.setOffline(true);
  await press(page, '1');
  await shot('offline');
  await context.setOffline(false);
  await saved(page);
  for (let i = 0; i < 10 && (await page.locator('#pair').count()); i++) {
    await press(page, 's');
    await page.waitForTimeout(400);
  }
  await shot('done');
  await context.close();
}
await browser.close();
await desk.stop();
