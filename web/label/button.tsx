// SPDX-License-Identifier: MIT
//
// A button for an action of the key table: its word, its key, and for screens without a
// keyboard an icon.
import { type Action, hint, run, shortcut } from './keys.ts';

const ICONS: Partial<Record<Action, string>> = {
  skip: 'M3 4l7 6-7 6zM12 4h3v12h-3z',
  unfamiliar:
    'M10 2a8 8 0 100 16 8 8 0 000-16zm0 1.8a6.2 6.2 0 110 12.4 6.2 6.2 0 010-12.4zM9 13h2v2H9zm1-8c2 0 3.3 1.2 3.3 2.8 0 2-2.3 2.2-2.3 3.7H9.200c0-2.300 2.200-2.500 2.200-3.700 0-.7-.5-1.100-1.400-1.100S8.500 7.200 8.400 8H6.700C6.800 6.200 8 5 10 5z',
  note: 'M3 3h14v10h-6l-4 4v-4H3zm2 2v6h10V5z',
  undo: 'M8 3v4c6 0 9 3 9 9-2-3.500-4.500-4.600-9-4.600V15L2 9z',
};

export function Button(props: {
  action: Action;
  word: string;
  class?: string;
  pressed?: boolean;
  expanded?: boolean;
  disabled?: boolean;
  title?: string;
}) {
  const key = hint(props.action);
  const icon = ICONS[props.action];
  return (
    <button
      type="button" class={props.class} disabled={props.disabled} title={props.title}
      aria-pressed={props.pressed} aria-expanded={props.expanded}
      aria-keyshortcuts={shortcut(props.action)} data-action={props.action}
      onClick={() => run(props.action)}
    >
      {icon && <svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d={icon} /></svg>}
      <span>{props.word}</span>
      {key && <kbd aria-hidden="true">{key}</kbd>}
    </button>
  );
}
