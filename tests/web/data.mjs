// SPDX-License-Identifier: MIT
//
// Ledgers and reports for the tests, made by the command itself in a folder of their own.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

export function workshop(evenhand) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'evenhand-web-'));
  const at = (name) => path.join(folder, name);
  const run = (...args) =>
    execFileSync(evenhand, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return {
    folder,
    at,
    run,
    // "STATUS what it said on standard error", of a command that must fail.
    fails(...args) {
      const done = spawnSync(evenhand, args, { cwd: folder, encoding: 'utf8' });
      return done.status === 0 ? 'it did not fail' : `${done.status} ${done.stderr.trim()}`;
    },
    lines(name, rows) {
      writeFileSync(at(name), rows.map((r) => `${JSON.stringify(r)}\n`).join(''));
      return at(name);
    },
    report(name, ledgers, ...options) {
      run('report', ...ledgers.map((l) => `${l}.db`), '-o', `${name}.html`, ...options);
      return at(`${name}.html`);
    },
    remove() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// What a packed part of a report holds.
export function partOf(file, id) {
  const html = readFileSync(file, 'utf8');
  const found = new RegExp(`id="${id}">([^<]*)<`).exec(html);
  if (!found) throw new Error(`${file}: no part ${id}`);
  return JSON.parse(gunzipSync(Buffer.from(found[1], 'base64')).toString('utf8'));
}

// Everything a report holds, unpacked, as one text.
export function wholeText(file) {
  const html = readFileSync(file, 'utf8');
  const parts = [...html.matchAll(/octet-stream" id="[^"]*">([^<]*)</g)].map((m) =>
    gunzipSync(Buffer.from(m[1], 'base64')).toString('utf8'),
  );
  const script = html.indexOf('<script>');
  return html.slice(0, script) + parts.join('\n');
}

export function sha1(file) {
  return createHash('sha1').update(readFileSync(file)).digest('hex');
}

// ---- texts that want to break out ----

const SCRIPTS =
  '<script>globalThis.pwned = 1</script></script><!--<script>--><img src=x onerror="pwned=1">' +
  '<svg onload=pwned=1><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>';
const LINKS =
  '[click](javascript:pwned=1) [out](https://evil.example/?q=1) ![pixel](https://evil.example/p.png)' +
  ' <https://evil.example> ![x](data:text/html,<script>pwned=1</script>)';
const TABLE = '| left | right |\n|:--|--:|\n| 1 | 2 |\n'.concat('| a | b |\n'.repeat(20));
const WIDE = `| ${'a wide heading | '.repeat(20)}\n|${'---|'.repeat(20)}\n| ${'value | '.repeat(20)}\n`;
const MATH =
  'So \\(x^2 + \\frac{1}{2}\\) and\n\n$$\n\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n= 0\n$$\n\n' +
  '\\[ \\colorbox{red}{boxed} \\fcolorbox{blue}{white}{y} \\href{javascript:pwned=1}{z} \\]\n\n' +
  'Costs $5 or $6. \\(\\unknownmacro{1}\\) \\(\\htmlStyle{color:red}{q}\\)';
const CODE = '```python\ndef f(x):\n    return "</script>" + x  # comment\n```\n\n```nolang\n<b>&amp;\n```';
const RTL = '\u0645\u0631\u062d\u0628\u0627 \u0628\u0643\u0645\n\n- \u0648\u0627\u062d\u062f\n- \u0627\u062b\u0646\u0627\u0646\n\n\u4f60\u597d \ud83d\ude80 e\u0301';
const BIDI = 'Sydney.\u202e ]]A[[ :tcidrev laniF\u202c \u2066hidden\u2069 zero\u200bwidth \ufeff tab\there  \nend';
const STYLE = '<p style="position:fixed;inset:0">x</p>\n\n<div id="app" onclick="pwned=1">y</div>\n\n{% include %} ${1} {{x}}';

export const hostileAnswers = {
  scripts: SCRIPTS, links: LINKS, table: TABLE, wide: WIDE, math: MATH, code: CODE, rtl: RTL, bidi: BIDI,
  style: STYLE,
  long: 'Long lines of text without an end. '.repeat(8000),
  word: 'x'.repeat(5000),
  empty: '',
  entities: '&copy; &amp; &#65; &#x42; &notanentity; &lt;b&gt;',
  json: '{"a": "\\u003c/script>", "b": [1, 2]}',
};

// Pairs, judgments and labels with hostile strings in every field.
export function hostileFiles(shop) {
  const names = Object.keys(hostileAnswers);
  const id = (name) => (name === 'scripts' ? '"><script>pwned=1</script>' : `h-${name}`);
  const pairs = names.map((name) => ({
    id: id(name),
    question: `${name}: ${SCRIPTS}\n\n${LINKS}`,
    answer_1: hostileAnswers[name],
    answer_2: name === 'json' ? hostileAnswers[name] : `Fine. ${hostileAnswers[name].slice(0, 300)}`,
    model_1: '<img src=x onerror=pwned=1>',
    model_2: '</script><script>pwned=1</script>',
    category: '</title><script>pwned=1</script>',
    reference: LINKS,
  }));
  const judgments = names.flatMap((name, i) =>
    ['12', '21'].map((order) => ({
      pair_id: id(name), judge: '<b onmouseover=pwned=1>judge</b>&amp;"\'', order, sample: 0,
      reply: `${hostileAnswers[name].slice(0, 2000)}\n\n${SCRIPTS}`,
      verdict: ['1', '2', 'tie'][(i + (order === '12' ? 0 : 1)) % 3],
    })),
  );
  const labels = names.map((name) => ({
    pair_id: id(name), annotator: '<script>pwned=1</script>', label: '1', note: SCRIPTS,
  }));
  shop.lines('hostile.jsonl', pairs);
  shop.lines('hostile-judgments.jsonl', judgments);
  shop.lines('hostile-labels.jsonl', labels);
  shop.run('import', 'judgments', 'hostile-judgments.jsonl', '--pairs', 'hostile.jsonl', '--labels',
    'hostile-labels.jsonl', '-o', 'hostile.db');
}

// Judgments of several judges, by a rule: (judge, pair, order) -> verdict or null.
export function recorded(shop, name, nPairs, judges, rule, withLabels) {
  const pairs = Array.from({ length: nPairs }, (_, i) => ({
    id: `p${i}`, question: `Question ${i}?`, answer_1: `One ${i}.`, answer_2: `Two ${i}, longer.`,
  }));
  const rows = judges.flatMap((judge) =>
    pairs.flatMap((pair, i) =>
      ['12', '21'].map((order) => ({
        pair_id: pair.id, judge, order, sample: 0, reply: '', verdict: rule(judge, i, order),
      })),
    ),
  );
  shop.lines(`${name}.jsonl`, pairs);
  shop.lines(`${name}-judgments.jsonl`, rows);
  const labels = [];
  if (withLabels) {
    shop.lines(`${name}-labels.jsonl`, pairs.map((p) => ({ pair_id: p.id, annotator: 'a', label: withLabels })));
    labels.push('--labels', `${name}-labels.jsonl`);
  }
  shop.run('import', 'judgments', `${name}-judgments.jsonl`, '--pairs', `${name}.jsonl`, ...labels, '-o', `${name}.db`);
}
