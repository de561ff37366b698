// SPDX-License-Identifier: Apache-2.0
// What the schedule needs from the store.
import type { Millis } from '../../time/units.ts';
import type { ChannelRef } from '../channelKey.ts';
import type { AiringRecord, EditionRecord } from './airing.ts';

/** Lives and editions. Editions are appended and never changed. */
export type AiringStore = {
  /**
   * Starts a life with its first editions.
   * @param replaced the life that was on air until now and ends
   * @returns false when the channel has another life on air; then nothing is stored
   */
  begin(airing: AiringRecord, editions: readonly EditionRecord[], replaced?: string): Promise<boolean>;
  /** Removes those that have not started or ended before every window. @returns false if the number is taken: nothing is stored */
  append(editions: readonly EditionRecord[], dropped: readonly number[]): Promise<boolean>;
  /** Records when the channel was switched off, unless it already is. Its life continues. */
  switchOff(channel: ChannelRef, at: Millis): Promise<void>;
  /** Records that it is on again. Its sessions count as seen from now on, since they could not request anything before. */
  switchOn(channel: ChannelRef, at: Millis): Promise<void>;
  offSince(before: Millis): Promise<readonly ChannelRef[]>;
  /** Ends the life on air; with `offSince`, only if the channel was switched off before that instant. */
  end(channel: ChannelRef, offSince?: Millis): Promise<void>;
  /** The life on air, with its editions by number. */
  current(channel: ChannelRef): Promise<{ airing: AiringRecord; editions: EditionRecord[] } | undefined>;
  /** A text per channel that changes with any of the above. Cheap to poll. */
  versions(): Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
};
