// SPDX-License-Identifier: MIT
//
// Bundles the pages:  node build.mjs OUT_FOLDER DEPFILE PAGE... [--parts PART...]
//
//   PAGE/main.tsx --esbuild----> PAGE.js       one script
//   PAGE/PAGE.css -------------> PAGE.css
//   parts/PART.ts -------------> PART.js       a script that served pages fetch when needed
//   licences of what went in --> PAGE-notices.txt, PART-notices.txt
//
// Outputs may stand inside script and style elements, so nothing in them may end the
// element or open a comment; what could is written with an escape, and the script is
// compiled once to see that it still is one. The depfile names every file that went in,
// so that the build notices a change.
import { build } from 'esbuild';
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

const here = path.dirname(fileURLToPath(import.meta.url));
const [outFolder, depfile, ...names] = process.argv.slice(2);
const partsAt = names.includes('--parts') ? names.indexOf('--parts') : names.length;
const pages = names.slice(0, partsAt);
const parts = names.slice(partsAt + 1);
if (!pages.length) {
  console.error('usage: node build.mjs OUT_FOLDER DEPFILE PAGE... [--parts PART...]');
  process.exit(2);
}

async function bundle(entry, out) {
  return build({
    entryPoints: [path.join(here, entry)],
    outfile: path.join(outFolder, out),
    absWorkingDir: here,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    charset: 'utf8',
    format: 'iife',
    target: ['es2021', 'chrome105', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
}

// "<!--", "<script" and "</script" in literals, where \x3c is the same character.
function harmlessScript(text, name) {
  const out = text.replace(/<(?=!--|\/?script)/gi, '\\x3c');
  new vm.Script(out, { filename: name });
  return out;
}

function harmlessStyle(text) {
  if (/<\/style|<!--/i.test(text)) throw new Error('the style sheet would end its element');
  return text;
}

// The package that a bundled file belongs to: its folder under the last node_modules.
function packageOf(file) {
  const parts = file.split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return null;
  const n = parts[at + 1].startsWith('@') ? 3 : 2;
  return path.resolve(here, parts.slice(0, at + n).join('/'));
}

function licenceOf(folder) {
  const name = readdirSync(folder).find((f) => /^(licen[cs]e|copying|unlicense)/i.test(f));
  if (!name) throw new Error(`${folder}: no licence text`);
  return readFileSync(path.join(folder, name), 'utf8').trim().replace(/\r\n/g, '\n');
}

// DOMPurify may be taken under either of two licences.
const chosen = { dompurify: 'Apache-2.0' };

function notices(inputs) {
  const folders = [...new Set(inputs.map(packageOf).filter(Boolean))].sort();
  const byText = new Map();
  for (const folder of folders) {
    const info = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const licence = chosen[info.name] ?? info.license;
    const text = licenceOf(folder);
    const title = `${info.name} ${info.version} (${licence})`;
    byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const blocks = [...byText].map(([text, titles]) => `${titles.join('\n')}\n\n${text}\n`);
  const all = 'This page holds code of these packages.\n\n' + blocks.join('\n---\n\n');
  if (/<\/script|<!--/i.test(all)) throw new Error('a licence text would end its element');
  return all;
}

const targets = [];
const sources = new Set();

function write(name, text) {
  const file = path.join(outFolder, name);
  writeFileSync(file, text);
  targets.push(file);
}

function writeScript(name, script) {
  write(`${name}.js`, harmlessScript(script.outputFiles[0].text.trim(), `${name}.js`));
}

function writeNotices(name, bundles) {
  const inputs = bundles.flatMap((b) => Object.keys(b.metafile.inputs));
  write(`${name}-notices.txt`, notices(inputs));
  for (const input of inputs) sources.add(input);
}

for (const page of pages) {
  const script = await bundle(`${page}/main.tsx`, `${page}.js`);
  const style = await bundle(`${page}/${page}.css`, `${page}.css`);
  writeScript(page, script);
  write(`${page}.css`, harmlessStyle(style.outputFiles[0].text.trim()));
  writeNotices(page, [script, style]);
}
for (const part of parts) {
  const script = await bundle(`parts/${part}.ts`, `${part}.js`);
  writeScript(part, script);
  writeNotices(part, [script]);
}
const escape = (f) => path.resolve(here, f).replace(/ /g, '\\ ');
const outputs = targets.map((f) => f.replace(/ /g, '\\ ')).join(' ');
writeFileSync(depfile, `${outputs}: ${[...sources].map(escape).join(' ')}\n`);
