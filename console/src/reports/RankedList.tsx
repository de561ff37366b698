// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { LinkCard } from '../components/layout/LinkCard.tsx';

type RankedListProps = {
  readonly title: string;
  readonly href?: string | undefined;
  readonly children: ComponentChildren;
};

/** A card with bars. */
export const RankedList = ({ title, href, children }: RankedListProps) => (
  <LinkCard title={title} href={href} link="View empty breaks" class="ranked">
    <ol>{children}</ol>
  </LinkCard>
);

type RankedBarProps = {
  readonly name: ComponentChildren;
  readonly amount: ComponentChildren;
  readonly percent?: string;
  /** 0 to 1. */
  readonly share: number;
  /** What the bar shows. */
  readonly label: string;
  readonly children?: ComponentChildren;
};

export const RankedBar = ({ name, amount, percent, share, label, children }: RankedBarProps) => (
  <li>
    <span class="name">{name}</span>
    <span class="right number">{amount}</span>
    <span class="right number">{percent}</span>
    <progress max={1} value={share} aria-label={label} />
    {children}
  </li>
);
