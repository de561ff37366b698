// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { HintText } from '../components/hints/useHint.tsx';
import { formatChange, formatCount, formatPercent, formatValue } from '../format/numbers.ts';
import type { RankedGroup } from './rankedGroups.ts';
import type { Ranking } from './rankedReasons.ts';

type RankedListProps = {
  readonly title: string;
  readonly link?: ComponentChildren;
  readonly children: ComponentChildren;
};

const RankedList = ({ title, link, children }: RankedListProps) => (
  <section class="card ranked">
    <header>
      <h2>{title}</h2>
      {link}
    </header>
    <ol>{children}</ol>
  </section>
);

type RankedReasonsProps = { readonly ranking: Ranking; readonly link: ComponentChildren };

/** Reasons as bars, the most frequent first. */
export const RankedReasons = ({ ranking: { title, none, reasons }, link }: RankedReasonsProps) => (
  <RankedList title={title} link={reasons.length === 0 ? null : link}>
    {reasons.length === 0 ? <li class="muted">{none}</li> : null}
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
  </RankedList>
);

type RankedGroupsProps = {
  readonly title: string;
  readonly groups: readonly RankedGroup[];
  readonly unit: string;
  readonly labelOf: (key: string) => string;
};

/** The groups with the highest values as bars, relative to the highest. */
export const RankedGroups = ({ title, groups, unit, labelOf }: RankedGroupsProps) => (
  <RankedList title={title}>
    {groups.map(({ key, value, share }) => (
      <li key={key}>
        <span class="name">{labelOf(key)}</span>
        <span />
        <span class="right number">{formatValue(value, unit)}</span>
        <progress max={1} value={share} aria-label={`${labelOf(key)} compared with the highest`} />
      </li>
    ))}
  </RankedList>
);
