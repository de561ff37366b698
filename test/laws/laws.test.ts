// The laws of what is published, over random schedules, viewers, polls, pods and edits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OwnBreak } from '../../src/playback/breaks.ts';
import { type BreakDecider, viewAt } from '../../src/playback/view.ts';
import type { Viewer } from '../../src/playback/viewers.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import { shortestSlate } from '../../src/timeline/frameGrid.ts';
import { spanStart } from '../../src/timeline/span.ts';
import type { Announced, SeenPeriod } from './readBack.ts';
import {
  airingOf,
  decide,
  edited,
  fold,
  hlsOf,
  mpdOf,
  place,
  type SyntheticChannel,
  type SyntheticItem,
  syntheticChannel,
  viewerOf,
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
  texts: fc.subarray(['en', 'de']),
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
    const { rate, sampleRate, segmentSeconds, count, odd, qualities, audioEvery, texts } = shape;
    const frames = Math.round((segmentSeconds * rate.n) / rate.d);
    const segments = [...new Array<number>(count).fill(frames), ...(odd ? [Math.ceil(frames * 0.4)] : [])];
    const name = `${index}-${rate.n}-${sampleRate}-${frames}-${count}-${odd}-${qualities}-${audioEvery ?? 'same'}-${texts.join('')}`;
    const asset = syntheticAsset({
      name,
      rate,
      sampleRate,
      segments,
      qualities,
      texts,
      ...(audioEvery === undefined ? {} : { audioEvery }),
    });
    return { asset, cuePoints };
  }),
);

/** A pod of random ads, named from place `first` of the break on, that leaves nothing, or enough for slate; now and then none. */
function randomPod(frames: number, rate: FrameRate, random: () => number, name: string, first: number) {
  const ads = [];
  let left = frames;
  while (random() > 0.25 && left > 2 * shortestSlate(rate)) {
    let length = Math.max(shortestSlate(rate), Math.floor(random() * left));
    if (left - length < shortestSlate(rate)) length = left;
    ads.push({
      adId: `${name}-${first + ads.length}`,
      mediaId: `m${Math.floor(random() * 5)}x${length}`,
      frames: length,
    });
    left -= length;
  }
  return ads;
}

/** Decides breaks of the synthetic channel: some at once, some only while the live edge waits, some never. */
function sloppyDecider(channel: () => SyntheticChannel, random: () => number): BreakDecider {
  const readyAt = new Map<string, number>();
  const decideAs = (viewer: Viewer, { span, joined }: OwnBreak, hasAds: boolean) => {
    const { id, frames } = span.break!;
    const ads = hasAds ? randomPod(frames - joined, channel().ladder.frameRate, random, id, joined > 0 ? 1 : 0) : [];
    decide(channel(), viewer, span, { breakId: id, startsAt: spanStart(span), joined, ads });
  };
  return {
    catchUp: async () => {},
    begin(_airing, viewer, own, now) {
      const { id } = own.span.break!;
      if (!readyAt.has(id)) readyAt.set(id, random() < 0.7 ? now : own.due + Math.floor(random() * 4000));
      if (now >= readyAt.get(id)!) decideAs(viewer, own, true);
    },
    giveUp: async (_airing, viewer, own) => decideAs(viewer, own, false),
  };
}

/** In DASH, each Period of a break says that it is on, and an ad is a Period. */
function expectSameAnnounced(inHls: readonly Announced[], periods: readonly SeenPeriod[], what: string): void {
  const inDash = periods.flatMap(({ announced }) => announced);
  const ads = (all: readonly Announced[]) => all.filter(({ signal }) => signal !== undefined);
  const breaks = (all: readonly Announced[]) => [
    ...new Set(all.filter(({ signal }) => signal === undefined).map(({ id }) => id)),
  ];
  expect(ads(inHls), what).toEqual(ads(inDash));
  expect(breaks(inHls), what).toEqual(breaks(inDash));
  // The address of an ad's segment names the ad (DESIGN §6).
  const listed = periods.filter(({ id, urls }) => Object.values(urls).some(([url]) => url!.split('/').includes(id)));
  expect(
    ads(inDash).map(({ id }) => id),
    what,
  ).toEqual(listed.map(({ id }) => id));
}

test('laws 1 to 7 hold for a viewer of any schedule, through late breaks and edits on air', async () => {
  await fc.assert(
    fc.asyncProperty(items, items, fc.integer(), async (list, other, seed) => {
      const random = chance(seed);
      let channel = syntheticChannel(list, START);
      const decider = sloppyDecider(() => channel, random);
      let now = START + DEPTH + Math.floor(random() * 60_000);
      const viewer = viewerOf(channel, now);
      const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate));
      const rows = new RowsWitness();
      const editAt = now + 60_000 * random();
      let isEdited = false;
      for (let poll = 0; poll < 80; poll += 1) {
        if (!isEdited && now >= editAt) {
          channel = edited(channel, random() < 0.5 ? [...list, ...other] : other, now + 8000);
          isEdited = true;
          place(channel, viewer);
        }
        fold(channel, viewer, now - DEPTH - 120_000);
        const view = await viewAt(airingOf(channel, DEPTH / 1000), viewer, decider, millis(now));
        const seen = columns.map((column, rung) => column.look(hlsOf(view, rung), now));
        const periods = rows.look(mpdOf(view));
        channel.ladder.rungs.forEach(({ id }, rung) => {
          const inDash = periods.flatMap(({ urls }) => urls[id] ?? []);
          // Text is the same in both, in another kind of file.
          const inHls = seen[rung]!.segments.map(({ uri }) => uri.replace(/\.vtt$/, '.m4s'));
          expect(inDash, `law 2: rung ${id} at ${now}`).toEqual(inHls);
          expect(seen[rung]!.announced, `law 2: what rung ${id} announces at ${now}`).toEqual(seen[0]!.announced);
        });
        expectSameAnnounced(seen[0]!.announced, periods, `law 2: at ${now}`);
        const counts = seen.map(({ segments }) => segments[0]!.discontinuity);
        expect(new Set(counts).size, 'law 3: one discontinuity number at an instant').toBe(1);
        now = Math.floor(now + 300 + random() * 2600);
      }
    }),
    { numRuns: 60 },
  );
});

test('a virtual week of one viewer: numbers, dates and lengths never part', async () => {
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
  const airing = airingOf(channel, DEPTH / 1000);
  const decider = sloppyDecider(() => channel, random);
  const viewer = viewerOf(channel, START + DEPTH);
  const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate, 200));
  const week = 7 * 24 * 3600 * 1000;
  for (let now = START + DEPTH; now < START + week; now += 16_000) {
    fold(channel, viewer, now - DEPTH - 120_000);
    const view = await viewAt(airing, viewer, decider, millis(now));
    columns.forEach((column, rung) => {
      column.look(hlsOf(view, rung), now);
    });
  }
  expect(viewer.state.decisions.length).toBeLessThan(10);
});
