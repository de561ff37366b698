// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { DeltaWitness, updatesOf } from '../../test/laws/deltaWitness.ts';
import { readHls } from '../../test/laws/readBack.ts';
import { airingOf, hlsDeltaOf, hlsOf, syntheticChannel, viewerOf } from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { type View, viewAt } from '../playback/view/view.ts';
import { millis } from '../time/units.ts';
import type { Asset, Protection, Track } from '../timeline/asset/asset.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const idle = { begin: () => {}, settle: async () => {} };

type Parts = { readonly protection?: Protection; readonly tags?: Track['tags'] };

/** Segments of 2 s, so that the target duration is 3 s. */
function assetOf(name: string, count: number, { protection, tags }: Parts): Asset {
  const rate = { n: 25, d: 1 };
  const segments = new Array<number>(count).fill(50);
  const asset = syntheticAsset({ name, rate, segments });
  const more = { ...(protection && { protection }), ...(tags && { tags }) };
  const renditions = asset.renditions.map((one) => ({
    ...one,
    tracks: one.tracks.map((track) => ({ ...track, ...more })),
  }));
  return { ...asset, renditions };
}

const channelOf = (...assets: readonly Asset[]) =>
  syntheticChannel(
    assets.map((asset) => ({ asset, cuePoints: [] })),
    START,
  );

/** A view after 100 s. @param size of the window in seconds */
async function viewOf(size: number, ...assets: readonly Asset[]): Promise<View> {
  const airing = airingOf(channelOf(...assets), size);
  return viewAt(airing, viewerOf(airing, START), idle, millis(START + 100_000));
}

const film = (count = 100) => assetOf('film', count, {});

describe('a request for an update', () => {
  test('gets the last six target durations, and the number of segments before them', async () => {
    const view = await viewOf(60, film());
    const [full, delta] = [hlsOf(view, 0), hlsDeltaOf(view, 0)];
    const server = '#EXT-X-SERVER-CONTROL:HOLD-BACK=9.0,CAN-SKIP-UNTIL=18.0\n';
    const numbers = '#EXT-X-MEDIA-SEQUENCE:20\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n#EXT-X-INDEPENDENT-SEGMENTS\n';
    expect(full).toContain(`#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:3\n${numbers}${server}#EXT-X-MAP`);
    const map = '#EXT-X-MAP:URI="https://origin.test/film/video0/init.mp4"\n';
    const skip = `#EXT-X-SKIP:SKIPPED-SEGMENTS=20\n${map}`;
    const head = `#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:3\n${numbers}${server}${skip}`;
    expect(delta.startsWith(`${head}#EXT-X-PROGRAM-DATE-TIME:2026-03-01T00:01:20.000Z\n`)).toBe(true);
    expect(readHls(delta).segments).toHaveLength(10);
  });

  test.each([
    [35, 'plain'],
    [36, 'skips'],
  ])('with a window of %d s (%s)', async (size, form) => {
    const view = await viewOf(size, film());
    const [full, delta] = [hlsOf(view, 0), hlsDeltaOf(view, 0)];
    expect(full.includes('CAN-SKIP-UNTIL')).toBe(form === 'skips');
    expect(delta === full).toBe(form === 'plain');
  });

  test('gets the full playlist as long as nothing can be skipped', async () => {
    const airing = airingOf(channelOf(film()), 60);
    for (const [seconds, skips] of [
      [21, false],
      [22.5, true],
    ] as const) {
      const view = await viewAt(airing, viewerOf(airing, START), idle, millis(START + 1000 * seconds));
      expect(hlsDeltaOf(view, 0).includes('#EXT-X-SKIP')).toBe(skips);
      expect(hlsOf(view, 0)).toContain('CAN-SKIP-UNTIL');
    }
  });

  test('has a discontinuity where the playlist has one', async () => {
    const deltas = await Promise.all([9, 10, 11].map(async (count) => hlsDeltaOf(await viewOf(60, film(count)), 0)));
    const starts = deltas.map((delta) => /#EXT-X-SKIP:.*\n(.*)/.exec(delta)![1]);
    expect(starts.filter((line) => line === '#EXT-X-DISCONTINUITY')).toHaveLength(1);
  });
});

test('on a channel of MPEG-TS, an update skips no discontinuity', async () => {
  const view = await viewOf(90, film(9));
  const { airing } = view;
  const ts: View = { ...view, airing: { ...airing, ladder: { ...airing.ladder, container: 'ts' } } };
  const countOf = (one: View) => hlsDeltaOf(one, 0).split('#EXT-X-DISCONTINUITY\n').length - 1;
  const all = hlsOf(view, 0).split('#EXT-X-DISCONTINUITY\n').length - 1;
  expect([countOf(view), countOf(ts), all]).toEqual([1, 5, 5]);
  const witness = new DeltaWitness(false);
  witness.check(hlsOf(ts, 0), hlsDeltaOf(ts, 0));
  expect(witness.updates).toBe(1);
});

const ranges = (count: number, first: number) =>
  Array.from(
    { length: count },
    (_, index) => `#EXT-X-DATERANGE:ID="r${first + index}",START-DATE="2026-03-01T00:00:00Z"`,
  );

test('a date range before a segment stays when the segment is skipped; other markers do not', async () => {
  const tags = new Map([
    [45, ['#EXT-X-CUE-IN', ...ranges(2, 3)]],
    [22, ['#EXT-X-CUE-OUT:10', ...ranges(2, 1)]],
    [49, [...ranges(1, 5), '#EXT-X-CUE-OUT:20']],
    [3, ranges(1, 9)],
  ]);
  const delta = hlsDeltaOf(await viewOf(60, assetOf('live', 100, { tags })), 0);
  expect(readHls(delta).ranges).toEqual([...ranges(2, 1), ...ranges(3, 3)]);
  expect(delta).toContain('SEGMENTS=20\n');
  expect(delta).not.toContain('CUE-OUT:10');
  expect([...delta.matchAll(/#EXT-X-CUE.*/g)].map(String)).toEqual(['#EXT-X-CUE-IN', '#EXT-X-CUE-OUT:20']);
});

const key = (name: string) => `METHOD=SAMPLE-AES,URI="https://keys.test/${name}"`;
const protections: readonly (Protection | undefined)[] = [
  undefined,
  { hls: [key('a')] },
  { hls: [key('b')] },
  { hls: [key('d')], hlsOfInit: [] },
  { hls: [key('e')], hlsOfInit: [key('f')] },
  { hls: ['METHOD=AES-128,URI="https://keys.test/g"'], firstIv: 7 },
  { hlsOfEach: Array.from({ length: 100 }, (_, index) => (index % 5 === 0 ? [] : [key(`${index % 3}`)])) },
];

test('a player that has the playlist of an earlier poll has that of the moment after the update', async () => {
  let [updates, discontinuities] = [0, 0];
  const items = fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 12 }), protection: fc.constantFrom(...protections) }),
    { minLength: 1, maxLength: 5 },
  );
  await fc.assert(
    fc.asyncProperty(
      items,
      fc.integer({ min: 36, max: 200 }),
      fc.integer({ min: 1, max: 6000 }),
      async (list, size, step) => {
        const assets = list.map(({ count, protection }, index) =>
          assetOf(`a${index}`, count, protection === undefined ? {} : { protection }),
        );
        const airing = airingOf(channelOf(...assets), size);
        const viewer = viewerOf(airing, START);
        const witnesses = airing.ladder.rungs.map(() => new DeltaWitness());
        for (let poll = 0; poll < 20; poll += 1) {
          const view = await viewAt(airing, viewer, idle, millis(START + 90_000 + poll * step));
          for (const [rung, one] of witnesses.entries()) one.check(hlsOf(view, rung), hlsDeltaOf(view, rung));
        }
        updates += updatesOf(witnesses);
        discontinuities += witnesses.reduce((sum, one) => sum + one.skippedDiscontinuities, 0);
      },
    ),
    lawRuns(12),
  );
  expect(updates).toBeGreaterThan(0);
  expect(discontinuities).toBeGreaterThan(0);
});
