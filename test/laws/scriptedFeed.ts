// SPDX-License-Identifier: Apache-2.0
// A live origin of one rendition with segments of two seconds, for tests of what keeps a feed: each of its readers sees another
// edge, and a test can make it fail or hang. With a plain alignment: each segment is a slot.
import type { LiveFeed } from '../../src/live/feed.ts';
import type { OriginReading } from '../../src/live/origin.ts';
import type { OriginReader } from '../../src/live/ports.ts';
import type { LiveEntry, Slot } from '../../src/live/slot.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import { sleep } from '../../src/time/clock.ts';
import { flicks, type Millis, millis, millisToFlicks } from '../../src/time/units.ts';
import type { ManualClock } from './manualClock.ts';

export const SEGMENT_MS = 2000;
const WINDOW = 8;
const duration = millisToFlicks(SEGMENT_MS);

export const feedOf = (life: string, startedAt: number): LiveFeed => ({
  ...{ channelId: `channel of ${life}`, tenant: 'acme', life, format: 'hls', serves: 'hls' },
  ...{ url: 'https://origin.test/', startedAt: millis(startedAt), ladder: defaultLadder, rungs: [], slateId: 'slate' },
});

const startOf = (number: number): Millis => millis(number * SEGMENT_MS);

/** The last `WINDOW` segments that end `behind` milliseconds before an instant. */
function readingAt(now: number, behind: number): OriginReading {
  const last = Math.floor((now - behind) / SEGMENT_MS) - 1;
  const segments = Array.from({ length: WINDOW }, (_, index) => {
    const number = last - WINDOW + 1 + index;
    const startsAt = { millis: startOf(number), rest: flicks(0) };
    return { number, startsAt, duration, media: { url: `https://origin.test/${number}` }, stretch: '0' };
  });
  return { renditions: [{ key: 'v', segments }], signals: [], warnings: [], isEnded: false };
}

export type ScriptedOrigin = {
  readonly readerFor: (feed: LiveFeed) => OriginReader;
  /** When each feed was read. */
  readonly reads: Map<string, number[]>;
  /** The most readings of one feed by one reader at the same time. */
  readonly mostAtOnce: () => number;
  /** `refused` and `broken`: each reading fails at once. `silent`: none settles. */
  state: 'up' | 'refused' | 'broken' | 'silent';
  /** Seconds, as it states. */
  targetDuration: number;
};

/** @param behind how many milliseconds behind its newest segment the origin is for a reader, at each reading */
export function createScriptedOrigin(clock: ManualClock, behind: () => number, latency: () => number): ScriptedOrigin {
  const reads = new Map<string, number[]>();
  let mostAtOnce = 0;
  const origin: ScriptedOrigin = {
    ...{ reads, state: 'up', targetDuration: SEGMENT_MS / 1000, mostAtOnce: () => mostAtOnce },
    readerFor({ life }) {
      let underWay = 0;
      return {
        targetDuration: () => origin.targetDuration,
        async read() {
          reads.set(life, [...(reads.get(life) ?? []), clock.now()]);
          underWay += 1;
          mostAtOnce = Math.max(mostAtOnce, underWay);
          const { state } = origin;
          if (state === 'silent') await new Promise(() => {});
          await sleep(clock.timers, latency());
          underWay -= 1;
          if (state === 'refused') return { refused: 'The origin returned 503.', status: 503 };
          if (state === 'broken') throw new Error('https://origin.test/?token=secret');
          return readingAt(clock.now(), behind());
        },
      };
    },
  };
  return origin;
}

/** What the next entry and the next slot are. */
export type PlainTail = {
  readonly entry: number;
  readonly slot: number;
  readonly after: number;
  /** When the newest slot was read. */
  readonly contentAt?: Millis;
};
export const plainStart: PlainTail = { entry: 0, slot: 0, after: -1 };

export function nextPlainEntry(
  tail: PlainTail,
  { renditions }: OriginReading,
  frame: Pick<LiveEntry, 'readAt' | 'visibleAt'>,
): LiveEntry | undefined {
  const news = renditions[0]!.segments.filter(({ number }) => number > tail.after);
  if (news.length === 0) return undefined;
  const slots = news.map(({ number, media }, index): Slot => {
    const isNewStretch = index === 0 && number !== tail.after + 1;
    const start = { millis: startOf(number), rest: flicks(0) };
    return { number: tail.slot + index, start, duration, isNewStretch, segments: [[{ number, duration, media }]] };
  });
  const anchor = { start: { millis: millis(0), rest: flicks(0) }, lag: 0 };
  const rules = { fill: 'slate', maxBreak: flicks(0) } as const;
  return { number: tail.entry, ...frame, anchor, rules, slots, signals: [] };
}

export function plainTailAfter(tail: PlainTail, { number, slots, readAt }: LiveEntry): PlainTail {
  const last = slots.at(-1);
  if (last === undefined) return { ...tail, entry: number + 1 };
  const after = last.segments[0]?.[0]?.number ?? tail.after;
  return { entry: number + 1, slot: last.number + 1, after, contentAt: readAt };
}
