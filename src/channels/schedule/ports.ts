// SPDX-License-Identifier: Apache-2.0
// What the schedule needs from the store.
import type { Millis } from '../../time/units.ts';
import type { ChannelRef } from '../channelKey.ts';
import type { AiringRecord, EditionRecord } from './airing.ts';

/** What both kinds of lives have: those of schedules, and the feeds of live channels. */
export type Lives = {
  /** Records when the channel was switched off, unless it already is. Its lives continue. */
  switchOff(channel: ChannelRef, at: Millis): Promise<void>;
  /** Records that it is on again. Its sessions count as seen from now on, since they could not request anything before. */
  switchOn(channel: ChannelRef, at: Millis): Promise<void>;
  /** Channels with a life that were switched off before this instant. */
  offSince(before: Millis): Promise<readonly ChannelRef[]>;
  /** When a channel with a life was last switched on after that it was off, and off, which it still is. */
  switches(channel: ChannelRef): Promise<{ readonly onSince?: Millis; readonly offSince?: Millis }>;
  /** Ends its lives, with what belongs to them; with `offSince`, only if the channel was switched off before that instant. */
  end(channel: ChannelRef, offSince?: Millis): Promise<void>;
  /** A text per channel that changes with any change of its lives. Cheap to poll. */
  versions(): Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
};

/** Lives and editions. Editions are appended, and what they show never changes. */
export type AiringStore = Lives & {
  /**
   * Starts a life with its first editions.
   * @param replaced the life that was on air until now and ends
   * @returns false when the channel has another life on air; then nothing is stored
   */
  begin(airing: AiringRecord, editions: readonly EditionRecord[], replaced?: string): Promise<boolean>;
  /**
   * Appends editions and removes those that have not started yet or ended before every window.
   * @returns false when another node already appended an edition with that number; then nothing is stored
   */
  append(editions: readonly EditionRecord[], dropped: readonly number[]): Promise<boolean>;
  /** The life on air, without its editions. */
  airing(channel: ChannelRef): Promise<AiringRecord | undefined>;
  /** The life on air, with its editions by number, without the slots that a later edition has replaced. */
  current(channel: ChannelRef): Promise<{ airing: AiringRecord; editions: readonly EditionRecord[] } | undefined>;
};
