// SPDX-License-Identifier: Apache-2.0
// The laws of published manifests (docs/laws.md) with random schedules, viewers, polls, pods and edits.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import { isThorough, lawRuns } from '../lawRuns.ts';
import { seededRandom } from '../seededRandom.ts';
import { DeltaWitness, updatesOf } from './deltaWitness.ts';
import { randomDecider } from './randomDecider.ts';
import type { Announced, SeenPeriod } from './readBack.ts';
import { ChannelWitness, expectAligned } from './shared/channelWitness.ts';
import {
  airingOf,
  edited,
  foldDecisions,
  hlsByRows,
  hlsDeltaOf,
  hlsOf,
  keptTexts,
  mpdByRows,
  mpdOf,
  placeDecisions,
  type SyntheticItem,
  syntheticChannel,
  viewerOf,
} from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';
import { watchForDays } from './watchForDays.ts';
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
  hasShortEnd: fc.boolean(),
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
    const { rate, sampleRate, segmentSeconds, count, hasShortEnd, qualities, audioEvery, texts } = shape;
    const frames = Math.round((segmentSeconds * rate.n) / rate.d);
    const segments = [...new Array<number>(count).fill(frames), ...(hasShortEnd ? [Math.ceil(frames * 0.4)] : [])];
    const name = `${index}-${rate.n}-${sampleRate}-${frames}-${count}-${hasShortEnd}-${qualities}-${audioEvery ?? 'same'}-${texts.join('')}`;
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

/** Law 2 for announcements. In DASH, each Period of a break announces it, and each ad is a Period. */
function expectSameAnnounced(inHls: readonly Announced[], periods: readonly SeenPeriod[], message: string): void {
  const inDash = periods.flatMap(({ announced }) => announced);
  const ads = (all: readonly Announced[]) => all.filter(({ signal }) => signal !== undefined);
  const breaks = (all: readonly Announced[]) => [
    ...new Set(all.filter(({ signal }) => signal === undefined).map(({ id }) => id)),
  ];
  expect(ads(inHls), message).toEqual(ads(inDash));
  expect(breaks(inHls), message).toEqual(breaks(inDash));
  // The URI of an ad segment names the ad (docs/decisions/011-delivery-without-gaps.md).
  const listed = periods.filter(({ id, urls }) => Object.values(urls).some(([url]) => url!.split('/').includes(id)));
  expect(
    ads(inDash).map(({ id }) => id),
    message,
  ).toEqual(listed.map(({ id }) => id));
}

test('laws 1 to 7 hold with any schedule, late decisions and edits on air', async () => {
  let updates = 0;
  let keptCount = 0;
  await fc.assert(
    fc.asyncProperty(items, items, fc.integer(), async (list, other, seed) => {
      const random = seededRandom(seed);
      let channel = syntheticChannel(list, START);
      const decider = randomDecider(() => channel, random);
      let now = START + DEPTH + Math.floor(random() * 60_000);
      const viewer = viewerOf(airingOf(channel, DEPTH / 1000), now);
      const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate));
      const hasText = channel.ladder.rungs.some(({ kind }) => kind === 'text');
      const deltas = columns.map(() => new DeltaWitness(!hasText));
      const rows = new RowsWitness();
      const editAt = now + 60_000 * random();
      let isEdited = false;
      const kept = keptTexts();
      const everyone = new ChannelWitness(channel.ladder);
      for (let poll = 0; poll < 80; poll += 1) {
        if (!isEdited && now >= editAt) {
          channel = edited(channel, random() < 0.5 ? [...list, ...other] : other, now + 8000);
          isEdited = true;
          placeDecisions(channel, viewer);
        }
        foldDecisions(channel, viewer, now - DEPTH - 120_000);
        const view = await viewAt(airingOf(channel, DEPTH / 1000), viewer, decider, millis(now));
        const seen = columns.map((column, rung) => column.check(hlsOf(view, rung), now));
        const mpd = mpdOf(view);
        keptCount += kept.check(view, viewer.state);
        expect(mpd, 'the MPD as written row by row').toBe(mpdByRows(view));
        const periods = rows.check(mpd);
        expectAligned(channel.ladder, seen, periods, now);
        channel.ladder.rungs.forEach(({ id }, rung) => {
          expect(hlsOf(view, rung), 'the playlist as written row by row').toBe(hlsByRows(view, rung));
          deltas[rung]!.check(hlsOf(view, rung), hlsDeltaOf(view, rung));
          expect(seen[rung]!.announced, `law 2: announcements of rung ${id} at ${now}`).toEqual(seen[0]!.announced);
        });
        expectSameAnnounced(seen[0]!.announced, periods, `law 2: at ${now}`);
        // As long as the view of a viewer takes.
        if (poll % 3 === 0) everyone.check(airingOf(channel, DEPTH / 1000), now);
        now = Math.floor(now + 300 + random() * 2600);
      }
      updates += updatesOf(deltas);
    }),
    lawRuns(14),
  );
  expect(keptCount, 'manifests from cards of earlier polls').toBeGreaterThan(0);
  if (isThorough) expect(updates, 'delta updates').toBeGreaterThan(0);
});

test('numbers, dates and durations agree for half a virtual day of one viewer', () => watchForDays(0.5));
