// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'ad' | 'info' | 'calm';

type Status = readonly [tone: Tone, label: string];

export type Statuses<Code extends string> = Readonly<Record<Code, Status>>;

/** A status in one or two words. Its dot has a different shape for each tone, for readers who see no colours. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <i aria-hidden="true" />
    {children}
  </span>
);

export const StatusBadge = ({ status: [tone, label] }: { readonly status: Status }) => (
  <Badge tone={tone}>{label}</Badge>
);
