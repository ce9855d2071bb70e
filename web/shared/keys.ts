// SPDX-License-Identifier: MIT

// Does the person write, so that a key is a letter?
export function isTyping(e: KeyboardEvent): boolean {
  return e.target instanceof Element && e.target.closest('input, textarea, select') != null;
}
