// SPDX-License-Identifier: Apache-2.0
// Changes of the origins of live channels, for operators.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Page } from '../channels/ports.ts';
import type { Millis } from '../time/units.ts';
import type { LiveFeed } from './feed.ts';

/** How an origin is, and what viewers are shown. */
export type OriginCondition = {
  readonly state: 'ok' | 'stalled' | 'ended' | 'failing';
  readonly onAir: 'source' | 'backup' | 'slate';
  /** What viewers are shown content from; absent for slate. */
  readonly url?: string;
};

/** A change of the condition. */
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
  /** Those of a time range, newest first. */
  list(
    channel: ChannelRef,
    range: { readonly from: Millis; readonly to: Millis },
    page: Page,
  ): Promise<{ readonly total: number; readonly items: readonly OriginEvent[] }>;
  /** Removes those before an instant, except the newest of each channel and format. */
  removeBefore(before: Millis): Promise<void>;
};

export const isSameCondition = (a: OriginCondition, b: OriginCondition): boolean =>
  a.state === b.state && a.onAir === b.onAir && a.url === b.url;
