// SPDX-License-Identifier: Apache-2.0
import { formatChange, formatCount, formatPercent } from '../logic/format/numbers.ts';
import type { Ranking } from '../logic/reports/rankedReasons.ts';

/** Reasons as bars, the most frequent first. */
export const RankedReasons = ({ ranking: { title, none, reasons } }: { readonly ranking: Ranking }) => (
  <section class="card ranked">
    <h2>{title}</h2>
    {reasons.length === 0 ? <p class="muted">{none}</p> : null}
    <ol>
      {reasons.map(({ name, label, description, count, share, before }) => (
        <li key={name}>
          <span title={description}>{label}</span>
          <span class="right number">
            {formatCount(count)} <small>{formatChange(count, before)}</small>
          </span>
          <span class="right number">{formatPercent(share, 1)}</span>
          <progress max={1} value={share} aria-label={`Share of ${label}`} />
        </li>
      ))}
    </ol>
  </section>
);
