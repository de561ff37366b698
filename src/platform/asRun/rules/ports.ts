// SPDX-License-Identifier: Apache-2.0
// What the as-run log needs from outside.
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AiringRecord } from '../../../channels/schedule/airing.ts';
import type { AiredLife, AsRunRow } from '../../../scheduling/asRun.ts';
import type { Millis } from '../../../time/units.ts';

/** Rows that have ended, in the order of time. They never overlap. */
export type AsRunStore = {
  /** The end of the newest row. */
  storedUntil(channel: ChannelRef): Promise<Millis | undefined>;
  /** Rows that are stored already stay as they are. */
  add(channel: ChannelRef, rows: readonly AsRunRow[]): Promise<void>;
  /** Rows that overlap the range. */
  list(
    channel: ChannelRef,
    range: { readonly from: Millis; readonly to: Millis },
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly items: readonly AsRunRow[] }>;
  /** Removes some of the rows that started before an instant. @returns whether there are more */
  removeBefore(before: Millis): Promise<boolean>;
};

/** The life of a channel, and when it was last switched on, and off, which it still is. */
export type LifeOnAir = AiredLife & {
  readonly airing: AiringRecord;
  readonly onSince?: Millis | undefined;
  readonly offSince?: Millis | undefined;
};
