// SPDX-License-Identifier: MIT
//
// How far people agree among themselves, as soon as enough pairs have two labels.
import { integer, kappa } from '../shared/format.ts';
import type { Agreement as Numbers } from './api.ts';
import { Section } from './app.tsx';
import { Interval } from './interval.tsx';

const MEASURES: Record<Numbers['measure'], string> = {
  cohen: "Cohen's kappa",
  fleiss: "Fleiss' kappa",
  alpha: "Krippendorff's alpha",
};

export function Agreement({ a }: { a: Numbers }) {
  const measure = MEASURES[a.measure];
  return (
    <Section id="agreement" title="Do people agree?">
      {a.value == null ? (
        <p class="blank">
          Not known yet: {a.why}. So far {integer(a.people)} people share {integer(a.pairs)} pairs.
        </p>
      ) : (
        <>
          <p class="lead">
            {measure} {kappa(a.value)}
            {a.low == null || a.high == null
              ? ' (no interval)'
              : ` (95\u00a0% interval ${kappa(a.low)} to ${kappa(a.high)})`}
            , {integer(a.pairs)} pairs, {integer(a.people)} people.
          </p>
          <p>
            <Interval value={a.value} low={a.low} high={a.high} from={-1} to={1} rule={0} />
          </p>
          <p class="note">
            1 is full agreement, 0 what chance gives (the upright line), below 0 less than that.
            Labels of people who did not know the topic are left out.
          </p>
        </>
      )}
    </Section>
  );
}
