// SPDX-License-Identifier: MIT
//
// A headless Chromium of this system, and pages that note whatever they must not do:
// console errors, violations of their policy, requests that leave the file or server.
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

// A context whose pages note what must not be there; `isOwn` says which addresses may be
// asked for. Further pages are noted by `watch`.
async function watched(browser, options, isOwn) {
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
  const pages = [];
  const watch = async () => {
    const page = await context.newPage();
    pages.push(page);
    page.on('console', (m) => {
      if (m.type() !== 'error' && m.type() !== 'warning') return;
      if (!options.expects?.test(m.text())) faults.push(`console: ${m.text()}`);
    });
    page.on('pageerror', (e) => faults.push(`error: ${e.message}`));
    page.on('request', (r) => {
      if (!isOwn(r.url()) && !r.url().startsWith('data:')) faults.push(`request: ${r.url()}`);
    });
    page.on('dialog', (d) => {
      if (d.type() === 'beforeunload' && options.leaves) return void d.accept();
      faults.push(`dialog: ${d.message()}`);
      void d.dismiss();
    });
    return page;
  };
  const collect = async () => {
    if (options.javaScriptEnabled === false) return faults;
    const found = [];
    for (const page of pages)
      if (!page.isClosed()) found.push(...(await page.evaluate(() => globalThis.violations.splice(0))));
    return [...faults.splice(0), ...found.map((v) => `violation: ${v}`)];
  };
  return { context, watch, faults: collect };
}

// Opens a file. `faults` fills with what must not be there; requests are those for
// anything but the file itself.
export async function openFile(browser, file, options = {}) {
  const url = pathToFileURL(file).href;
  const { context, watch, faults } = await watched(browser, options, (u) => u.split('#')[0] === url);
  const page = await watch();
  await page.goto(url + (options.hash ?? ''));
  if (options.javaScriptEnabled !== false) await ready(page);
  return { context, page, faults };
}

// Opens an address of a server; requests to any other are faults. options.expects: console
// lines that are meant to be; options.leaves: the page may ask before it is left.
export async function openServed(browser, url, options = {}) {
  const { origin } = new URL(url);
  const { context, watch, faults } = await watched(browser, options, (u) => u.startsWith(`${origin}/`));
  const page = await watch();
  await options.before?.(context, page);
  await page.goto(url);
  await ready(page);
  return { context, page, faults, watch };
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
