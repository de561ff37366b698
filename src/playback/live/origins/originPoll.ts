// SPDX-License-Identifier: Apache-2.0
// Reads the origin of a feed once at a time, and not for longer than readings are apart.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { ReaderFor, ReadingWay } from '../../../live/ports.ts';
import { type Timers, within } from '../../../time/clock.ts';
import { readTimeout } from '../pacing.ts';

export type PollFailure = {
  /** One sentence, without secrets. */
  readonly sentence: string;
  /** What the reader has thrown: a defect of Midroll. */
  readonly error?: unknown;
};

export type OriginPoll = {
  /** @returns what the origin lists; undefined if nothing has changed */
  read(targetMs: number): Promise<{ readonly reading: OriginReading | undefined } | PollFailure>;
  /** `OriginReader.ways`. */
  ways(): number;
  /** Milliseconds; undefined until the origin was read. */
  targetMs(): number | undefined;
  /** The target duration that the origin has now, which may be longer. */
  statedMs(): number | undefined;
};

/** Readers state what is wrong with an origin. What they throw is not its fault. */
export const UNREADABLE =
  'Midroll failed to read the origin of this channel: a defect of Midroll, not of the origin. Retry soon.';

/** RFC 8216 §4.3.3.1 forbids such segments, and §6.2.1 another target duration. */
const longer = (stated: number, given: number): string =>
  `the target duration of the origin is ${stated} s, but was ${given} s when the channel went on air: open sessions keep it, so that their players may stall; new ones have that of the segments that are listed`;

export function createOriginPoll(
  readerFor: ReaderFor,
  timers: Timers,
  feed: LiveFeed,
  way: ReadingWay = 0,
): OriginPoll {
  let reader = readerFor(feed, way);
  let ways = 1;
  let targetMs: number | undefined;
  let statedMs: number | undefined;

  async function request(timeout: number): ReturnType<OriginPoll['read']> {
    const abort = new AbortController();
    const read = reader.read(abort.signal).then((result) => ({ result }));
    const settled = await within(timers, timeout, read);
    if (settled === undefined) {
      abort.abort();
      // The reader may ignore the signal, and must not be called twice at once.
      reader = readerFor(feed, way);
      return { sentence: `The origin did not respond within ${timeout} ms.` };
    }
    const { result } = settled;
    ways = reader.ways?.() ?? 1;
    if (result !== undefined && 'refused' in result) return { sentence: result.refused };
    const stated = reader.targetDuration() * 1000;
    // Viewers were given the target duration that the feed had when it went on air.
    const given = feed.ladder.targetDuration;
    if (stated > 0) [targetMs, statedMs] = [Math.min(stated, given * 1000), stated];
    if (result === undefined || stated <= given * 1000) return { reading: result };
    const targetDuration = stated / 1000;
    return { reading: { ...result, targetDuration, warnings: [longer(targetDuration, given), ...result.warnings] } };
  }

  return {
    ways: () => ways,
    targetMs: () => targetMs,
    statedMs: () => statedMs,
    read: (known) =>
      request(readTimeout(known)).catch((error: unknown) => {
        // What the reader remembers may be what it fails on.
        reader = readerFor(feed, way);
        return { sentence: UNREADABLE, error };
      }),
  };
}
