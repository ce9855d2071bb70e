// SPDX-License-Identifier: MIT
//
// Screenshots of a report, to be looked at:  node shots.mjs REPORT.html FOLDER [PAIR-HASH]
// light, dark, 1440, 1024, 390, print; and one pair.
import path from 'node:path';
import { launch, openFile } from './browser.mjs';

const [file, folder, hash] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node shots.mjs REPORT.html FOLDER [#HASH]');
  process.exit(2);
}
const browser = await launch();
const name = path.basename(file, '.html');
const shots = [
  ['light-1440', { viewport: { width: 1440, height: 900 } }],
  ['dark-1440', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['light-1024', { viewport: { width: 1024, height: 800 } }],
  ['light-390', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  ['dark-390', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
];
for (const [kind, options] of shots) {
  const { context, page, faults } = await openFile(browser, path.resolve(file), { ...options, hash });
  await page.waitForTimeout(300);
  await page.screenshot({ path: path.join(folder, `${name}-${kind}.png`), fullPage: true });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  console.log(kind, 'sideways:', wide, (await faults()).join('\n'));
  await context.close();
}
const { page } = await openFile(browser, path.resolve(file), { hash });
await page.pdf({ path: path.join(folder, `${name}.pdf`), format: 'A4', margin: { top: '12mm', bottom: '12mm', left: '12mm', right: '12mm' } });
await browser.close();
