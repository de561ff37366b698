// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { HintText } from '../components/hints/HintText.tsx';
import { formatChange, formatCount, formatPercent } from '../format/numbers.ts';
import type { Ranking } from './rankedReasons.ts';

type RankedReasonsProps = {
  readonly ranking: Ranking;
  /** The page of the sessions with empty breaks in the range of the report. */
  readonly sessionsPath: string;
};

/** Reasons as bars, the most frequent first. */
export const RankedReasons = ({ ranking: { title, none, reasons }, sessionsPath }: RankedReasonsProps) => (
  <section class="card ranked">
    <header>
      <h2>{title}</h2>
      {reasons.length === 0 ? null : (
        <Link class="small" href={sessionsPath}>
          View empty breaks
        </Link>
      )}
    </header>
    {reasons.length === 0 ? <p class="muted">{none}</p> : null}
    <ol>
      {reasons.map(({ name, label, description, count, share, before }) => (
        <li key={name}>
          <span>
            <HintText hint={description}>{label}</HintText>
          </span>
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
