// The laws of what is published, over random schedules, viewers, polls, pods and edits.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import { watchForDays } from './longLife.ts';
import type { Announced, SeenPeriod } from './readBack.ts';
import { chance, sloppyDecider } from './sloppyDecider.ts';
import {
  airingOf,
  edited,
  fold,
  hlsOf,
  mpdOf,
  place,
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

test('a virtual week of one viewer: numbers, dates and lengths never part', () => watchForDays(7));
