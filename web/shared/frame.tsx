// SPDX-License-Identifier: MIT
//
// Around a page that is one file: its foot, and going into a single pair and back to the
// row from which it was opened.
import { useEffect, useLayoutEffect } from 'preact/hooks';

export interface Ledger {
  name: string;
  data: string | null;
  summary_hash: string;
}

export function Foot(props: { version: string; ledgers: Ledger[]; holds: string }) {
  const licences = document.getElementById('licences')?.textContent ?? '';
  return (
    <footer>
      <p>
        Made by Evenhand {props.version} from{' '}
        {props.ledgers.map((l) => `${l.name} (${l.summary_hash.slice(0, 16)})`).join(', ')}. {props.holds}
      </p>
      {licences && (
        <details>
          <summary>Licences of the code in this page</summary>
          <pre tabIndex={0} role="region" aria-label="Licences">{licences}</pre>
        </details>
      )}
    </footer>
  );
}

// How to make the file again, and which numbers it holds: rows of a list of facts.
export function MadeBy({ index }: { index: { command: string; version: string; ledgers: Ledger[] } }) {
  return (
    <>
      <dt>Made by</dt>
      <dd><code>{index.command}</code>, Evenhand {index.version}</dd>
      <dt>Numbers</dt>
      <dd>
        {index.ledgers.map((l) => (
          <div>
            {l.name}: <code class="hash">{l.summary_hash}</code>
          </div>
        ))}
        <small>BLAKE2b-256 of what evenhand show prints with --json: the numbers here are those.</small>
      </dd>
    </>
  );
}

let listScroll = 0; // where the page was when a pair was opened
let opened = -1;

// `at`: the row that is open, or -1. The page stays as it is while a pair is open, so that
// going back finds it where it was; the plain part goes when the page is drawn.
export function useFrame(at: number, section: string): void {
  useLayoutEffect(() => {
    document.getElementById('plain')?.remove();
  }, []);
  useLayoutEffect(() => {
    if (at >= 0) {
      opened = at;
      return () => undefined;
    }
    if (opened >= 0) {
      scrollTo(0, listScroll);
      document.getElementById(`row-${opened}`)?.focus({ preventScroll: true });
      opened = -1;
    }
    const keep = () => {
      listScroll = scrollY;
    };
    addEventListener('scroll', keep, { passive: true });
    return () => removeEventListener('scroll', keep);
  }, [at]);
  useEffect(() => {
    if (at < 0 && section && opened < 0) document.getElementById(section)?.scrollIntoView();
  }, [section]);
}
