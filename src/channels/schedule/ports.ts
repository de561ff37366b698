// What a schedule needs of the store.
import type { Millis } from '../../time/units.ts';
import type { ChannelRef } from '../channelKey.ts';
import type { AiringRecord, EditionRecord } from './airing.ts';

/** Lives and editions: appended, never changed. */
export type AiringStore = {
  /**
   * Begins a life with its first editions.
   * @param replaced the life that was on air before and ends
   * @returns false when the channel has another life on air; then nothing is stored
   */
  begin(airing: AiringRecord, editions: readonly EditionRecord[], replaced?: string): Promise<boolean>;
  /**
   * Appends editions, and drops those that have not started for anybody, or were over before anybody's window.
   * @returns false when somebody else has appended an edition of that number already; then nothing is stored
   */
  append(editions: readonly EditionRecord[], dropped: readonly number[]): Promise<boolean>;
  /** Notes since when the channel is switched off, unless it is so already; its life goes on. */
  switchOff(channel: ChannelRef, at: Millis): Promise<void>;
  /** Notes that it is on again. Its viewers cannot have been seen before. */
  switchOn(channel: ChannelRef, at: Millis): Promise<void>;
  /** Channels with a life that are switched off since before this. */
  offSince(before: Millis): Promise<readonly ChannelRef[]>;
  /** Ends the life that is on air; with `offSince` only if it is switched off since before that. */
  end(channel: ChannelRef, offSince?: Millis): Promise<void>;
  /** The life that is on air, with its editions by number. */
  current(channel: ChannelRef): Promise<{ airing: AiringRecord; editions: EditionRecord[] } | undefined>;
  /** What changes when anything above does, for all channels: cheap to poll. */
  versions(): Promise<readonly { readonly channel: ChannelRef; readonly version: string }[]>;
};
