// SPDX-License-Identifier: MIT
//
// A formula as MathML, by KaTeX: no style sheet, no fonts.
import katex from 'katex';

interface Policy {
  createHTML(text: string): string;
}
const factory = (
  globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } }
).trustedTypes;
const passed: Policy = { createHTML: (text) => text };
const policy = factory ? factory.createPolicy('evenhand', passed) : passed;

// MathML of a formula, or null where KaTeX refuses it. KaTeX escapes what it writes; the
// walk over its nodes is a second wall.
export function mathOf(tex: string, displayMode: boolean): Element | null {
  let html: string;
  try {
    html = katex.renderToString(tex, {
      output: 'mathml', displayMode, throwOnError: true, trust: false, maxSize: 20, maxExpand: 200,
      strict: false,
    });
  } catch {
    return null;
  }
  const holder = document.createElement('template');
  holder.innerHTML = policy.createHTML(html.replace(/ style="[^"]*"/g, ''));
  const math = holder.content.querySelector('math');
  if (!math) return null;
  for (const node of [math, ...math.querySelectorAll('*')]) {
    if (node.localName === 'annotation' || node.namespaceURI !== math.namespaceURI) node.remove();
    for (const { name } of [...node.attributes])
      if (/^on|href|src|style/i.test(name)) node.removeAttribute(name);
  }
  return document.importNode(math, true);
}
