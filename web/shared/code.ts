// SPDX-License-Identifier: MIT
//
// Code of a known language, its words in classes, by highlight.js.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const languages = {
  bash, c, cpp, csharp, css, go, java, javascript, json, python, rust, sql, typescript, xml, yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

const MAX_CODE_LINES = 2000;

export function highlightCode(code: string, info: string): string {
  const name = info.trim().split(/\s+/)[0]?.toLowerCase() ?? '';
  if (!hljs.getLanguage(name) || code.split('\n').length > MAX_CODE_LINES) return '';
  return hljs.highlight(code, { language: name, ignoreIllegals: true }).value;
}
