// The laws of what is published, over random schedules, viewers, polls, pods and edits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timelineBetween } from '../../src/channels/lineup.ts';
import type { FrameRate, Millis } from '../../src/time/units.ts';
import { shortestSlate } from '../../src/timeline/frameGrid.ts';
import { spanEnd, spanStart } from '../../src/timeline/span.ts';
import {
  decide,
  edited,
  fold,
  freshViewer,
  hlsOf,
  mpdOf,
  type SyntheticChannel,
  type SyntheticItem,
  type SyntheticViewer,
  syntheticChannel,
  windowOf,
} from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';
import { ColumnWitness, RowsWitness } from './witness.ts';

const rates: FrameRate[] = [
  { n: 24000, d: 1001 },
  { n: 25, d: 1 },
  { n: 30000, d: 1001 },
  { n: 50, d: 1 },
];
const START = Date.parse('2026-03-01T00:00:00.123Z');
const DEPTH = 60_000;

/** Chance that can be replayed: the same seed, the same numbers. */
function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const assets = fc.record({
  rate: fc.constantFrom(...rates),
  sampleRate: fc.constantFrom(48_000, 44_100),
  segmentSeconds: fc.constantFrom(1.92, 2, 3.84, 6),
  count: fc.integer({ min: 2, max: 12 }),
  odd: fc.boolean(),
  qualities: fc.integer({ min: 1, max: 3 }),
  audioEvery: fc.option(fc.constantFrom(1.92, 2, 3.84), { nil: undefined }),
});
const cues = fc.array(
  fc.record({
    spliceTime: fc.double({ min: 0, max: 60, noNaN: true }),
    maxDuration: fc.constantFrom(0.5, 5, 10.1234, 30),
  }),
  { maxLength: 3 },
);

const items = fc.array(fc.tuple(assets, cues), { minLength: 1, maxLength: 4 }).map((list) =>
  list.map(([shape, cuePoints], index): SyntheticItem => {
    const { rate, sampleRate, segmentSeconds, count, odd, qualities, audioEvery } = shape;
    const frames = Math.round((segmentSeconds * rate.n) / rate.d);
    const segments = [...new Array<number>(count).fill(frames), ...(odd ? [Math.ceil(frames * 0.4)] : [])];
    const name = `${index}-${rate.n}-${sampleRate}-${frames}-${count}-${odd}-${qualities}-${audioEvery ?? 'same'}`;
    const asset = syntheticAsset({
      name,
      rate,
      sampleRate,
      segments,
      qualities,
      ...(audioEvery === undefined ? {} : { audioEvery }),
    });
    return { asset, cuePoints };
  }),
);

/** A pod of random ads that leaves nothing, or enough for slate; now and then none. */
function randomPod(frames: number, rate: FrameRate, random: () => number, name: string) {
  const ads = [];
  let left = frames;
  while (random() > 0.25 && left > 2 * shortestSlate(rate)) {
    let length = Math.max(shortestSlate(rate), Math.floor(random() * left));
    if (left - length < shortestSlate(rate)) length = left;
    ads.push({ adId: `${name}-${ads.length}`, mediaId: `m${Math.floor(random() * 5)}x${length}`, frames: length });
    left -= length;
  }
  return ads;
}

function decideDue(channel: SyntheticChannel, viewer: SyntheticViewer, now: number, random: () => number): void {
  for (const span of timelineBetween(channel.lineup, (now - DEPTH) as Millis, (now + 1) as Millis)) {
    if (span.break === undefined || viewer.decided.has(span.break.id) || spanStart(span) > now) continue;
    if (spanEnd(span) <= now - 17_000) continue;
    const { id, frames } = span.break;
    const startsAt = spanStart(span);
    const ads = startsAt < now - 16_900 ? [] : randomPod(frames, channel.ladder.frameRate, random, id);
    decide(channel, viewer, span, { breakId: id, startsAt, joined: 0, ads });
  }
}

test('laws 1 to 7 hold for a viewer of any schedule, through breaks and edits on air', () => {
  fc.assert(
    fc.property(items, items, fc.integer(), (list, other, seed) => {
      const random = chance(seed);
      let channel = syntheticChannel(list, START);
      const viewer = freshViewer(channel.ladder);
      const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate));
      const rows = new RowsWitness();
      let now = START + DEPTH + random() * 20_000;
      const editAt = now + 60_000 * random();
      let isEdited = false;
      for (let poll = 0; poll < 80; poll += 1) {
        now = Math.floor(now + 300 + random() * 2600);
        if (!isEdited && now >= editAt) {
          channel = edited(channel, random() < 0.5 ? [...list, ...other] : other, now + 8000);
          isEdited = true;
        }
        decideDue(channel, viewer, now, random);
        fold(viewer, now - DEPTH - 120_000);
        const window = windowOf(channel, viewer, now, DEPTH);
        const seen = columns.map((column, rung) => column.look(hlsOf(channel, window, rung), now));
        const periods = rows.look(mpdOf(channel, window, now, DEPTH));
        channel.ladder.rungs.forEach(({ id }, rung) => {
          const inDash = periods.flatMap(({ urls }) => urls[id] ?? []);
          expect(inDash, `law 2: rung ${id} at ${now}`).toEqual(seen[rung]!.map(({ uri }) => uri));
        });
        const counts = seen.map((list) => list[0]!.discontinuity);
        expect(new Set(counts).size, 'law 3: one discontinuity number at an instant').toBe(1);
      }
    }),
    { numRuns: 60 },
  );
});

test('a virtual week of one viewer: numbers, dates and lengths never part', () => {
  const random = chance(7);
  const rate = { n: 30000, d: 1001 };
  const film = (name: string, count: number, shape: { rate: FrameRate; sampleRate: number; frames: number }) =>
    syntheticAsset({
      name,
      rate: shape.rate,
      sampleRate: shape.sampleRate,
      segments: [...new Array<number>(count).fill(shape.frames), 37],
      qualities: 2,
    });
  const channel = syntheticChannel(
    [
      {
        asset: film('a', 55, { rate, sampleRate: 48_000, frames: 60 }),
        cuePoints: [{ spliceTime: 58, maxDuration: 30 }],
      },
      {
        asset: film('b', 31, { rate: { n: 24000, d: 1001 }, sampleRate: 44_100, frames: 48 }),
        cuePoints: [{ spliceTime: 0, maxDuration: 20.3 }],
      },
    ],
    START,
  );
  const viewer = freshViewer(channel.ladder);
  const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate, 200));
  const week = 7 * 24 * 3600 * 1000;
  for (let now = START + DEPTH; now < START + week; now += 16_000) {
    decideDue(channel, viewer, now, random);
    fold(viewer, now - DEPTH - 120_000);
    const window = windowOf(channel, viewer, now, DEPTH);
    columns.forEach((column, rung) => {
      column.look(hlsOf(channel, window, rung), now);
    });
  }
  expect(viewer.decided.size).toBeLessThan(10);
});
