// SPDX-License-Identifier: Apache-2.0
// The readers of live origins find in what a channel shows to everyone each of its breaks, exactly: with random schedules, breaks that
// operators insert and end, and edits: ten virtual hours with each run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MarkerDialect } from '../../../src/hls/breakMarkers.ts';
import { channelMediaText, channelMpdText } from '../../../src/http/live/guided/channelRoutes.ts';
import { createHlsOriginReader } from '../../../src/ingest/live/hls/createHlsOriginReader.ts';
import { nextEntry } from '../../../src/live/align/nextEntry.ts';
import { type Tail, tailAfter } from '../../../src/live/align/tail.ts';
import { endOfFact } from '../../../src/live/breaks/breakFact.ts';
import { addEntryBreaks, type BreakList } from '../../../src/live/breaks/breakList.ts';
import type { OriginReading } from '../../../src/live/origin.ts';
import type { Airing } from '../../../src/playback/onAir/airing.ts';
import { channelView, channelWindow } from '../../../src/playback/view/channelView.ts';
import { flicksToMillis, millis } from '../../../src/time/units.ts';
import {
  after,
  type BreakSpan,
  clockAt,
  isBreakSpan,
  placeOf,
  spanEnd,
  spanStart,
} from '../../../src/timeline/programme/span.ts';
import { lawRuns } from '../../lawRuns.ts';
import { BASE, bare } from '../../live/origin/hlsStage.ts';
import { dashReader, memoryOrigin, readFrom, START, videoRung } from '../../live/origin/memoryOrigin.ts';
import { RULES } from '../../live/origin/readings.ts';
import { seededRandom } from '../../seededRandom.ts';
import { type Order, operated } from '../insertedBreaks.ts';
import { airingOf, type SyntheticItem, syntheticChannel } from '../syntheticChannel.ts';
import { syntheticAsset } from '../syntheticMedia.ts';

const CLOCK = 'https://live.test/time';
const HOUR = 3_600_000;
/** The least that readers tell apart. */
const SHORTEST = 5;

/** A feed that reads the channel, as a live channel would. */
function downstream(read: () => Promise<OriginReading | undefined>) {
  let tail: Tail | undefined;
  let list: BreakList | undefined;
  let start = 0;
  return {
    async poll(now: number) {
      const reading = await read();
      const frame = { readAt: millis(now), visibleAt: millis(now), rules: RULES };
      const entry = reading && nextEntry(tail, reading, frame, { history: 90_000 });
      if (entry === undefined) return;
      expect(reading?.warnings).toEqual([]);
      if (tail === undefined) start = entry.anchor.start.millis;
      tail = tailAfter(tail, entry);
      list = addEntryBreaks(list, entry);
    },
    breaks: () => ({ start, end: tail!.end.millis, list: list?.breaks ?? [], warnings: list?.warnings }),
  };
}

function readers(dialect: MarkerDialect, airingAt: (now: number) => Airing) {
  let now = START;
  const view = () => channelView(airingAt(now), millis(now));
  const out = { dialect, ahead: 4000 };
  const playlists = memoryOrigin(() => channelMediaText(view(), 0, out));
  const feed = { url: `${BASE}/live.m3u8`, rungs: [bare], serves: 'hls' } as const;
  const hls = createHlsOriginReader({ origin: playlists, feed, now: () => millis(now) });
  const origin = memoryOrigin((url) =>
    url === CLOCK ? new Date(now).toISOString() : channelMpdText(view(), CLOCK, out),
  );
  const state = { seconds: 0, ahead: 0 };
  const dash = dashReader({ origin, now: () => millis(now), state }, [{ ...videoRung, key: '1/v0' }]);
  const all = [hls, dash.reader].map((reader) => downstream(() => readFrom(reader)));
  /** What was listed of each break last. */
  const shown = new Map<string, BreakSpan>();
  return {
    all,
    shown,
    async poll(at: number) {
      now = at;
      for (const { span } of channelWindow(view()).rows) if (isBreakSpan(span)) shown.set(span.id, span);
      for (const one of all) await one.poll(at);
    },
  };
}

const lists = fc.array(
  fc.record({
    segmentSeconds: fc.constantFrom(1.92, 2, 3.84, 6),
    count: fc.integer({ min: 20, max: 150 }),
    cues: fc.array(
      fc.record({
        spliceTime: fc.integer({ min: 0, max: 300 }),
        maxDuration: fc.constantFrom(SHORTEST, 10.1234, 30, 120),
      }),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);

const itemsOf = (
  list: typeof lists extends fc.Arbitrary<infer List> ? List : never,
  rate: { n: number; d: number },
): SyntheticItem[] =>
  list.map(({ segmentSeconds, count, cues }, index) => {
    const frames = Math.round((segmentSeconds * rate.n) / rate.d);
    const name = `m${index}-${rate.n}-${frames}-${count}`;
    return { asset: syntheticAsset({ name, rate, segments: new Array<number>(count).fill(frames) }), cuePoints: cues };
  });

/** Logs add durations up, which are rounded to a microsecond, until their dates deviate by 20 ms. */
const DRIFT = 25;
const ROUNDING = 1.5;
const near = (value: number, by = DRIFT) => expect.closeTo(value, -Math.log10(2 * by));

const shapes = fc.record({
  rate: fc.constantFrom({ n: 24_000, d: 1001 }, { n: 25, d: 1 }, { n: 30_000, d: 1001 }),
  /** Seconds of the window. */
  depth: fc.constantFrom(30, 60, 120),
  dialect: fc.constantFrom('daterange' as const, 'cue' as const, 'both' as const),
});

test('a live channel that reads this one finds each break with its start, length and end', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(lists, lists, shapes, fc.integer(), async (list, other, { rate, depth, dialect }, seed) => {
      const random = seededRandom(seed);
      let channel = syntheticChannel(itemsOf(list, rate), START);
      let orders: Order[] = [];
      const typed = (airing: Airing): Airing => ({
        ...airing,
        channel: { ...airing.channel, type: 'vod2live' } as never,
      });
      const { all, shown, poll } = readers(dialect, () => typed(airingOf(channel, depth)));
      const from = START + 120_000 + Math.floor(random() * 600_000);
      for (let now = from; now < from + 2 * HOUR; now = Math.floor(now + 4000 + random() * 12_000)) {
        if (random() < 0.01) {
          const duration = SHORTEST + Math.floor(random() * 60);
          orders = [
            ...orders,
            { id: `o${orders.length}`, kind: 'ads', startsAt: Math.floor(now + random() * 90_000), duration },
          ];
        } else if (random() < 0.02)
          orders = orders.map((one) => ({ ...one, isOver: one.isOver === true || random() < 0.5 }));
        const edit = random() < 0.001 ? itemsOf(random() < 0.5 ? other : [...list, ...other], rate) : undefined;
        channel = operated(channel, orders, now + 3000, edit);
        await poll(now);
      }
      for (const one of all) {
        const { start, end, list: found, warnings } = one.breaks();
        // Of a break in which the reader joins, it finds the rest.
        const isSeen = (stop: number) => stop > start + DRIFT && stop < end;
        const expected = [...shown.values()]
          .filter((span) => isSeen(spanEnd(span)))
          .map((span) => {
            const at = Math.max(start, spanStart(span));
            const announced = spanStart(span) + flicksToMillis(placeOf(span).duration) - at;
            return { at: near(at), length: near(spanEnd(span) - at, ROUNDING), announced: near(announced, ROUNDING) };
          });
        const read = found
          .map((fact) => ({ fact, stop: clockAt(endOfFact(fact)!, 0) }))
          .filter(({ stop }) => isSeen(stop))
          .map(({ fact: { startsAt, duration }, stop }) => {
            const at = Math.max(start, clockAt(startsAt, 0));
            return { at, length: stop - at, announced: clockAt(after(startsAt, duration!), 0) - at };
          });
        expect(read).toEqual(expected);
        expect(warnings ?? []).toEqual([]);
        count += read.length;
      }
    }),
    lawRuns(5),
  );
  expect(count).toBeGreaterThan(0);
}, 400_000);
