// SPDX-License-Identifier: Apache-2.0
// What `midroll status` reads, as plain values.
import type { ChannelProblem } from '../../http/contract/statusContract.ts';
import type { CreativeQueue } from '../../ingest/creatives/creativeJobs.ts';
import type { readOverview } from '../../platform/overview/rules/readOverview.ts';

export type TroubledChannel = {
  readonly tenant: string;
  readonly id: string;
  readonly name?: string;
  readonly problems: readonly ChannelProblem[];
};

/** Channels of the selected tenants by state; those that fail or are prepared are not on air. */
export type ChannelCounts = Readonly<Record<'total' | 'onAir' | 'preparing' | 'failed' | 'off', number>> & {
  readonly troubled: readonly TroubledChannel[];
};

/** Of the last hour, compared with the same hour yesterday. */
export type HourOverview = Awaited<ReturnType<typeof readOverview>>;

export type StatusFacts = {
  readonly channels: ChannelCounts;
  readonly queue: CreativeQueue;
  /** Processes that are connected to a database on a server; undefined for a database in a file. */
  readonly processes: { readonly count: number; readonly hosts: readonly string[] } | undefined;
  /** Reports may be elsewhere, or their settings not readable. */
  readonly overview:
    | { readonly kind: 'read'; readonly hour: HourOverview }
    | { readonly kind: 'unread'; readonly reason: string };
};
