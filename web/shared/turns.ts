// SPDX-License-Identifier: MIT

export interface Turn {
  role: string;
  content: string;
}

// An earlier conversation, as the data has it: [{role, content}].
export function turnsOf(turns: unknown): Turn[] {
  if (!Array.isArray(turns)) return [];
  return turns.flatMap((t: unknown) => {
    const { role, content } = (t ?? {}) as Partial<Turn>;
    return typeof content === 'string' ? [{ role: String(role ?? ''), content }] : [];
  });
}
