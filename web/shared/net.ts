// SPDX-License-Identifier: MIT
//
// Asking the labelling server, and ids for what is sent to it.

const MOST_MS = 20_000;

// status 0: nothing came back.
export class Failure extends Error {
  constructor(readonly status: number, readonly body: unknown) {
    super(`status ${status}`);
  }
}

async function ask<T>(path: string, options: RequestInit): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), MOST_MS);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(path, { ...options, signal: limit.signal });
    text = await answer.text();
  } catch {
    throw new Failure(0, null);
  } finally {
    clearTimeout(timer);
  }
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // a proxy's page, say
  }
  if (!answer.ok || body == null) throw new Failure(answer.status, body);
  return body as T;
}

export const get = <T,>(path: string) => ask<T>(path, {});

export function post<T>(path: string, body: unknown): Promise<T> {
  return ask(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

// A random UUID; crypto.randomUUID is missing where the page comes over plain HTTP.
export function newId(): string {
  const b = crypto.getRandomValues(new Uint8Array(16));
  b[6] = ((b[6] ?? 0) & 0x0f) | 0x40;
  b[8] = ((b[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...b].map((v) => v.toString(16).padStart(2, '0')).join('');
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-');
}
