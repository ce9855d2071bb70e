// SPDX-License-Identifier: MIT
//
// How each person works: one row a person. The share for the left side says how far
// somebody is led by where an answer stands, since sides are drawn at random.
import { useState } from 'preact/hooks';
import { integer, rateShort } from '../shared/format.ts';
import * as api from './api.ts';
import type { Person, State } from './api.ts';
import { Section } from './app.tsx';
import { Interval } from './interval.tsx';
import { act } from './state.ts';

const FEW = 20; // decided labels from which a lean is worth a look

export function seconds(s: api.Maybe): string {
  if (s == null) return '';
  if (s < 90) return `${s < 10 ? s.toFixed(1) : Math.round(s)}\u00a0s`;
  return `${Math.round(s / 60)}\u00a0min`;
}

export function ago(ms: api.Maybe, now: number): string {
  if (ms == null) return 'never';
  const s = Math.max(0, (now - ms) / 1000);
  if (s < 60) return 'just now';
  if (s < 5400) return `${Math.round(s / 60)}\u00a0min ago`;
  if (s < 129600) return `${Math.round(s / 3600)}\u00a0h ago`;
  return `${Math.round(s / 86400)} days ago`;
}

function leanWords({ left_share: l }: Person): string {
  if (l.value == null) return 'nothing decided yet';
  if (l.n < FEW || l.low == null || l.high == null) return `${rateShort(l)}, n\u00a0=\u00a0${l.n}`;
  const lean = l.low > 0.5 ? 'leans to the left' : l.high < 0.5 ? 'leans to the right' : 'no lean shown';
  return `${rateShort(l)}, n\u00a0=\u00a0${l.n}: ${lean}`;
}

function Row({ p, now }: { p: Person; now: number }) {
  return (
    <tr>
      <th scope="row" dir="auto">{p.name}</th>
      <td class="num" data-label="done">{integer(p.done)}</td>
      <td class="num" data-label="skipped">{integer(p.skipped)}</td>
      <td class="num" data-label="topic unknown">{integer(p.unfamiliar)}</td>
      <td class="num" data-label="under 2 s">{integer(p.fast)}</td>
      <td class="num" data-label="median time">{seconds(p.median_seconds)}</td>
      <td data-label="chose the left side">
        <Interval {...p.left_share} from={0} to={1} rule={0.5} /> <span>{leanWords(p)}</span>
      </td>
      <td data-label="last seen">{ago(p.last_seen_ms, now)}</td>
    </tr>
  );
}

// A link is shown this once: the server keeps only a hash of it.
function NewLink({ s }: { s: State }) {
  const [name, setName] = useState('');
  const [link, setLink] = useState<{ name: string; url: string } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const known = s.annotators.some((p) => p.name === name.trim());
  const submit = async (e: Event) => {
    e.preventDefault();
    setLink(null);
    setFault(
      await act(async () => {
        const made = await api.invite(name.trim());
        setLink({ name: made.name, url: location.origin + made.path });
        setName('');
      }, 'A link was made'),
    );
  };
  return (
    <details>
      <summary>Invite somebody, or make a new link</summary>
      <form onSubmit={(e) => void submit(e)}>
        <label for="invite-name">Name</label>{' '}
        <input
          id="invite-name" value={name} required maxLength={64} autocomplete="off"
          onInput={(e) => setName(e.currentTarget.value)}
        />{' '}
        <button type="submit">{known ? 'Make a new link' : 'Invite'}</button>
        {known && <p class="note">The link that this person has now stops working.</p>}
      </form>
      {fault && <p class="fault" role="alert">{fault}</p>}
      {link && (
        <div class="link-made" role="status">
          <label for="new-link">
            The link for {link.name}. It is shown only now: copy it and hand it over in private.
          </label>
          <input
            id="new-link" readOnly value={link.url}
            onFocus={(e) => e.currentTarget.select()}
          />
        </div>
      )}
    </details>
  );
}

export function People({ s }: { s: State }) {
  const now = Date.now();
  return (
    <Section id="people" title="Who labels, and how?">
      {s.annotators.length === 0 ? (
        <p class="blank">Nobody yet. Invite somebody below.</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="People">
          <table class="people">
            <caption class="visually-hidden">People who label</caption>
            <thead>
              <tr>
                <th scope="col">Person</th>
                <th scope="col">Done</th>
                <th scope="col">Skipped</th>
                <th scope="col">Topic unknown</th>
                <th scope="col">Under 2 s</th>
                <th scope="col">Median time</th>
                <th scope="col">Chose the left side</th>
                <th scope="col">Last seen</th>
              </tr>
            </thead>
            <tbody>
              {s.annotators.map((p) => (
                <Row key={p.name} p={p} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="note">
        Sides are drawn at random, so who reads the answers alone chooses the left one about half
        of the time (the upright line; the line is a 95 % interval).
      </p>
      <NewLink s={s} />
    </Section>
  );
}
