// SPDX-License-Identifier: Apache-2.0

import type { ChannelRef } from '../channels/channelKey.ts';
import type { Page } from '../channels/ports.ts';
import type { Millis } from '../time/units.ts';
import type { LiveFeed } from './feed.ts';

/** Whether the origin of a feed can be read. */
export type OriginHealth = {
  /**
   * `idle`: the channel has no viewers, so that its origin is not read. `stalled`: it can be read, but there is nothing new that
   * can be listed. `ended`: nor will there be.
   */
  readonly state: 'idle' | 'ok' | 'stalled' | 'ended' | 'failing';
  readonly since?: Millis;
  /** Why it is failing, or stalled, or has ended. */
  readonly reason?: string;
  /** When it was last read without a failure. */
  readonly readAt?: Millis;
  /** What viewers are shown content from; absent if nothing has been on air yet. */
  readonly onAir?: OnAir;
  /** In their order. */
  readonly backups?: readonly BackupHealth[];
  /** What the last reading found that viewers may notice, such as missing subtitles. Absent if there is nothing. */
  readonly warnings?: readonly string[];
};

export type OnAir = {
  readonly kind: 'source' | 'backup' | 'slate';
  /** The origin; absent for slate. */
  readonly url?: string;
  readonly since: Millis;
};

export type BackupHealth = {
  readonly url: string;
  /** `unknown`: it was not needed yet. */
  readonly state: 'ok' | 'failing' | 'unknown';
  readonly reason?: string;
  readonly checkedAt?: Millis;
};

/** How an origin is, and what viewers are shown. */
export type OriginCondition = {
  readonly state: 'ok' | 'stalled' | 'ended' | 'failing';
  readonly onAir: 'source' | 'backup' | 'slate';
  /** What viewers are shown content from; absent for slate. */
  readonly url?: string;
};

export type OriginEvent = OriginCondition & {
  readonly at: Millis;
  readonly origin: LiveFeed['format'];
  /** One sentence. */
  readonly reason?: string;
};

export type OriginEventStore = {
  /**
   * Stores an event unless the newest one of its channel and format has the same condition, or the feed has ended. Several
   * processes notice the same change.
   */
  record(life: string, event: OriginEvent): Promise<void>;
  /** The events of a time range, newest first. */
  list(
    channel: ChannelRef,
    range: { readonly from: Millis; readonly to: Millis },
    page: Page,
  ): Promise<{ readonly total: number; readonly items: readonly OriginEvent[] }>;
  /** The channels of a tenant whose newest event says that an origin fails, or that viewers do not see it. */
  troubled(tenant: string): Promise<ReadonlySet<string>>;
  /** Removes the events before an instant, except the newest of each channel and format. */
  removeBefore(before: Millis): Promise<void>;
};

export const isSameCondition = (a: OriginCondition, b: OriginCondition): boolean =>
  a.state === b.state && a.onAir === b.onAir && a.url === b.url;
