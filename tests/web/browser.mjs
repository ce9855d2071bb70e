// SPDX-License-Identifier: MIT
//
// A headless Chromium of this system, and a page that notes whatever a report must not do:
// console errors, violations of its policy, requests that leave the file.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(path.join(here, '../../web/package.json'));
export const { chromium } = require('playwright-core');
const axe = require('axe-core');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

// EVENHAND_CHROMIUM, else the first one in PATH, else null.
export function findChromium() {
  if (process.env.EVENHAND_CHROMIUM) return process.env.EVENHAND_CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter))
    for (const name of NAMES)
      if (existsSync(path.join(folder, name))) return path.join(folder, name);
  return null;
}

// The sandbox refuses root, and needs what a container may not have.
export async function launch() {
  const options = { executablePath: findChromium(), args: ['--disable-dev-shm-usage'] };
  if (process.getuid?.() !== 0) {
    try {
      return await chromium.launch(options);
    } catch {
      console.log('# Chromium does not start with its sandbox; once more without');
    }
  }
  return chromium.launch({ ...options, args: [...options.args, '--no-sandbox'] });
}

// Opens a file. `faults` fills with what must not be there; requests are those for
// anything but the file itself.
export async function openFile(browser, file, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const faults = [];
  await context.addInitScript({ content: axe.source });
  await context.addInitScript(() => {
    globalThis.violations = [];
    addEventListener('securitypolicyviolation', (e) =>
      globalThis.violations.push(`${e.violatedDirective}: ${e.blockedURI || e.sample}`),
    );
  });
  const page = await context.newPage();
  const url = pathToFileURL(file).href;
  page.on('console', (m) => {
    if (m.type() === 'error' || m.type() === 'warning') faults.push(`console: ${m.text()}`);
  });
  page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
  page.on('request', (r) => {
    if (r.url().split('#')[0] !== url && !r.url().startsWith('data:'))
      faults.push(`request: ${r.url()}`);
  });
  page.on('dialog', (d) => {
    faults.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  await page.goto(url + (options.hash ?? ''));
  if (options.javaScriptEnabled !== false) await ready(page);
  const collect = async () => {
    if (options.javaScriptEnabled === false) return faults;
    const found = await page.evaluate(() => globalThis.violations.splice(0));
    return [...faults.splice(0), ...found.map((v) => `violation: ${v}`)];
  };
  return { context, page, faults: collect };
}

export async function ready(page) {
  await page.waitForFunction(() => document.documentElement.dataset.ready === 'yes', null, {
    timeout: 20_000,
  });
}

// Serious and critical findings of axe.
export async function axeFaults(page) {
  const found = await page.evaluate(async () => {
    const result = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return result.violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.help} (${v.nodes.length}): ${v.nodes[0]?.target} ${v.nodes[0]?.html?.slice(0, 160)}`);
  });
  return found;
}

// ---- a small TAP writer ----

let count = 0;
let failed = 0;

export async function check(name, fn) {
  count++;
  try {
    await fn();
    console.log(`ok ${count} - ${name}`);
  } catch (e) {
    failed++;
    console.log(`not ok ${count} - ${name}`);
    for (const line of String(e?.stack ?? e).split('\n')) console.log(`# ${line}`);
  }
}

export function skipAll(reason) {
  console.log(`1..0 # SKIP ${reason}`);
  process.exit(0);
}

export function finish() {
  console.log(`1..${count}`);
  process.exitCode = failed ? 1 : 0;
}
