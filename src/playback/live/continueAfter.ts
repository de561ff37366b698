// SPDX-License-Identifier: Apache-2.0
// Joins the log again after an outage of the store. During the outage a node shows its own entries. If the log has other
// entries under their numbers, what was shown stays, and the log is followed from the first slot after it.
import { millisBetween } from '../../live/align/originDates.ts';
import type { LiveEntry, PlacedSignal, Slot } from '../../live/slot.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';

export type ShownEnd = {
  /** The last slot that was shown, and its end. */
  readonly slot: Slot;
  readonly at: Instant;
};

/** Where the shown timeline left the log. */
export type Divergence = {
  readonly end: ShownEnd;
  /** Signals that were shown and are not in the log, by `signalKey`. */
  readonly signals: ReadonlySet<string>;
  readonly skipped?: Slot;
  /** Added to the numbers of slots of the log; absent until the first of them is shown. */
  readonly offset?: number;
};

/** The line of a tag differs between two readings. */
export const signalKey = ({ line: _, ...signal }: PlacedSignal): string => JSON.stringify(signal);

/** Milliseconds: half a frame at 25 per second. Nodes that could not communicate may have placed the same segments at other times. */
const OVERLAP = 20;

/** Whether a slot starts where what was shown ends, or later: the timeline never goes back (law 6). */
const isAfter = ({ start }: Slot, { at }: ShownEnd): boolean => millisBetween(at, start) >= -OVERLAP;

const mediaOf = ({ segments }: Slot): string =>
  segments.map((list) => list.map(({ media }) => `${media.url} ${media.range?.start}`)).join();

/** Where the media of the log continue those that were shown: another node may have placed the same segments earlier or later. */
const isJoint = ({ end, skipped }: Divergence, { start }: Slot): boolean =>
  millisBetween(end.at, start) === 0 && skipped !== undefined && mediaOf(skipped) === mediaOf(end.slot);

/**
 * What is shown of an entry of the log: without its checkpoint, because what this process has shown before it is not the log's.
 * @returns also the divergence for the next entry, and whether the entry follows what was shown as it follows the log: with the
 *   same numbers of slots, at the same instant
 */
export function continueAfter(
  divergence: Divergence,
  entry: LiveEntry,
): { readonly entry: LiveEntry; readonly divergence: Divergence; readonly isAligned: boolean } {
  const { end } = divergence;
  const signals = entry.signals.filter((signal) => !divergence.signals.has(signalKey(signal)));
  const from = divergence.offset === undefined ? entry.slots.findIndex((slot) => isAfter(slot, end)) : 0;
  const first = entry.slots[from];
  const { checkpoint: _, ...rest } = entry;
  const skipped = (from < 0 ? entry.slots : entry.slots.slice(0, from)).at(-1) ?? divergence.skipped;
  const passed: Divergence = { ...divergence, ...(skipped && { skipped }) };
  if (first === undefined) return { entry: { ...rest, slots: [], signals }, divergence: passed, isAligned: false };
  const offset = divergence.offset ?? end.slot.number + 1 - first.number;
  const isContinued = divergence.offset !== undefined || isJoint(passed, first);
  const slots = entry.slots.slice(from).map((slot, index) => ({
    ...slot,
    number: slot.number + offset,
    isNewStretch: slot.isNewStretch || (index === 0 && !isContinued),
  }));
  return {
    entry: { ...rest, slots, signals },
    divergence: { ...passed, offset },
    isAligned: offset === 0 && from === 0 && isContinued,
  };
}

export const endOf = (slot: Slot): ShownEnd => ({ slot, at: after(slot.start, slot.duration) });
