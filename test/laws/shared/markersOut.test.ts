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
import {
  type Flicks,
  flicks,
  flicksToMillis,
  framesToFlicks,
  millis,
  secondsToFlicks,
} from '../../../src/time/units.ts';
import { after, announcedLength, breakOf, clockAt, spanEnd } from '../../../src/timeline/programme/span.ts';
import { lawRuns } from '../../lawRuns.ts';
import { BASE, bare } from '../../live/origin/hlsStage.ts';
import { dashReader, memoryOrigin, readFrom, START, videoRung } from '../../live/origin/memoryOrigin.ts';
import { RULES } from '../../live/origin/readings.ts';
import { seededRandom } from '../../seededRandom.ts';
import { type Order, operated } from '../insertedBreaks.ts';
import { airingOf, type SyntheticItem, syntheticChannel } from '../syntheticChannel.ts';
import { LIVE_START, liveFeed, liveNode, type OriginBreak, writeLog } from '../syntheticLive.ts';
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

/** A break as it is listed, in milliseconds. */
type Shown = { readonly at: number; readonly end: number; readonly announced: Flicks | undefined };

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
  const all = [hls, dash.reader].map((reader, index) => {
    // The clock of an MPD is later than the timeline.
    const late = () => (index === 0 ? 0 : airingAt(now).programme.lag);
    return { ...downstream(() => readFrom(reader)), late };
  });
  /** What was listed of each break last. */
  const shown = new Map<string, Shown>();
  return {
    all,
    shown,
    async poll(at: number) {
      now = at;
      for (const { span } of channelWindow(view()).rows) {
        const place = breakOf(span);
        if (place) shown.set(place.id, { at: place.startsAt, end: spanEnd(span), announced: announcedLength(place) });
      }
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
const near = (value: number, by: number) => expect.closeTo(value, -Math.log10(2 * by));

/** @returns how many breaks a feed has found */
/**
 * At the end of a live break, the last slate may be a frame longer or shorter than its Period, which logs of MPDs follow by a millisecond
 * with each slot.
 */
const LIVE_MPD = { drift: 200, rounding: 41.5 };

function expectFound(
  shown: ReadonlyMap<string, Shown>,
  { breaks, late }: ReturnType<typeof readers>['all'][0],
  { drift, rounding } = { drift: DRIFT, rounding: ROUNDING },
): number {
  const { start, end, list, warnings } = breaks();
  const lag = late();
  const all = [...shown.values()].map((one) => ({ ...one, at: one.at + lag, end: one.end + lag }));
  /** An instant at which no break ends by either reckoning. @param step where to look for it, -1 or 1 */
  const apart = (time: number, step: number): number => {
    const near = all.find((one) => Math.abs(one.end - time) <= drift);
    return near === undefined ? time : apart(near.end + step * (drift + 1), step);
  };
  const [first, last] = [apart(start + drift, 1), apart(end, -1)];
  // Of a break in which the reader joins, it finds the rest.
  const isSeen = (stop: number) => stop > first && stop < last;
  const expected = all
    .filter((one) => isSeen(one.end))
    .map(({ at: whole, end: stop, announced }) => {
      const at = Math.max(start, whole);
      const rest = announced && near(whole + flicksToMillis(announced) - at, rounding);
      return { at: near(at, drift), length: near(stop - at, rounding), announced: rest };
    });
  const read = list
    .map((fact) => ({ fact, stop: clockAt(endOfFact(fact) ?? fact.startsAt, 0) }))
    .filter(({ stop }) => isSeen(stop))
    .map(({ fact: { startsAt, duration }, stop }) => {
      const at = Math.max(start, clockAt(startsAt, 0));
      return { at, length: stop - at, announced: duration && clockAt(after(startsAt, duration), 0) - at };
    });
  expect(read).toEqual(expected);
  expect(warnings ?? []).toEqual([]);
  return read.length;
}

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
      for (const one of all) count += expectFound(shown, one);
    }),
    // A smaller case takes minutes to find: shrink one by its seed.
    { ...lawRuns(5), endOnFailure: true },
  );
  expect(count).toBeGreaterThan(0);
}, 400_000);

const origins = fc.record({
  frames: fc.constantFrom(50, 96, 150),
  fill: fc.constantFrom('slate' as const, 'content' as const),
  dialect: shapes.map(({ dialect }) => dialect),
  breaks: fc.array(
    fc.record({
      gap: fc.integer({ min: 4, max: 30 }),
      length: fc.integer({ min: 4, max: 14 }),
      /** Of the length, by the markers of the origin. */
      announced: fc.constantFrom(1, 0.8, 1.3, undefined),
      leadSlots: fc.constantFrom(0, 3),
    }),
    { minLength: 5, maxLength: 15 },
  ),
});

test('so it does with a live channel whose breaks end early, late or without notice', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(origins, fc.integer(), async ({ frames, fill, dialect, breaks }, seed) => {
      const random = seededRandom(seed);
      const feed = liveFeed(frames, 1);
      let slot = 30;
      const placed = breaks.map(({ gap, length, announced, leadSlots }): OriginBreak => {
        const start = slot + gap;
        slot = start + length;
        const whole = framesToFlicks(frames * length, { n: 25, d: 1 });
        return {
          slot: start,
          ends: slot,
          leadSlots,
          ...(announced && { announced: flicks(Math.round(whole * announced)) }),
        };
      });
      const rules = { fill, maxBreak: secondsToFlicks(180) };
      const entries = writeLog(feed, { frames, breaks: placed }, rules, slot + 60, () => random() * 100);
      const node = liveNode(feed, entries, 0, { breakFill: fill });
      const { all, shown, poll } = readers(dialect, (now) => node.airingAt(now));
      const from = LIVE_START.millis + 20 * frames * 40;
      for (let now = from; now < entries.at(-1)!.visibleAt; now = Math.floor(now + 1000 + random() * 8000))
        await poll(now);
      for (const one of all) count += expectFound(shown, one, one.late() > 0 ? LIVE_MPD : undefined);
    }),
    { ...lawRuns(15), endOnFailure: true },
  );
  expect(count).toBeGreaterThan(0);
}, 400_000);
