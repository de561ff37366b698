// SPDX-License-Identifier: Apache-2.0
// The laws of finite manifests (docs/laws.md) with random titles, breaks, pods and replaced content.
import fc from 'fast-check';
import * as hlsParser from 'hls-parser';
// @ts-expect-error: mpd-parser comes without types
import { parse as parseMpd } from 'mpd-parser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { readHls, readMpd } from '../../test/laws/readBack.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { inParts, presentationOf, randomBreaks, titleOf } from '../../test/laws/syntheticPresentation.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import { announcedEvents, writeStaticMpd } from '../dash/write/writeMpd.ts';
import { writeVodMedia } from '../hls/writeVodMedia.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, type FrameRate } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const rates: FrameRate[] = [
  { n: 24000, d: 1001 },
  { n: 25, d: 1 },
  { n: 30000, d: 1001 },
  { n: 50, d: 1 },
];

const assets = fc
  .array(
    fc.record({
      rate: fc.constantFrom(...rates),
      sampleRate: fc.constantFrom(48_000, 44_100),
      segmentSeconds: fc.constantFrom(1.92, 2, 3.84, 6),
      counts: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 2 }),
      hasShortEnd: fc.boolean(),
      qualities: fc.integer({ min: 1, max: 3 }),
      audioEvery: fc.option(fc.constantFrom(1.92, 2, 3.84), { nil: undefined }),
      texts: fc.subarray(['en', 'de']),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((shapes) =>
    shapes.map(({ rate, segmentSeconds, counts, hasShortEnd, audioEvery, ...rest }, item) => {
      const frames = Math.round((segmentSeconds * rate.n) / rate.d);
      const parts = counts.map((count, part) =>
        syntheticAsset({
          ...rest,
          name: `${item}-${part}`,
          rate,
          segments: [...new Array<number>(count).fill(frames), ...(hasShortEnd ? [Math.ceil(frames * 0.4)] : [])],
          ...(audioEvery === undefined ? {} : { audioEvery }),
        }),
      );
      return parts.reduce(inParts);
    }),
  );

// It warns of ads that overlap by less than a millisecond: START-DATE has milliseconds, DURATION microseconds.
beforeAll(() => hlsParser.setOptions({ silent: true }));
afterAll(() => hlsParser.setOptions({ silent: false }));

/** Milliseconds, not rounded. */
const millisOf = (length: number): number => length / FLICKS_PER_MILLI;

test('laws 2 to 7 hold in the manifests of any presentation', () => {
  fc.assert(
    fc.property(assets, fc.integer(), (list, seed) => {
      const title = titleOf(list as [Asset, ...Asset[]]);
      const { ladder } = title;
      const { spans, duration } = presentationOf(title, randomBreaks(title, seededRandom(seed)), START);
      const frameMillis = (1000 * ladder.frameRate.d) / ladder.frameRate.n;
      const mpd = writeStaticMpd(spans, { ladder, baseUrl: 's/', eventsOf: announcedEvents(true) });
      const periods = readMpd(mpd);
      const playlists = ladder.rungs.map((_, rung) => writeVodMedia(spans, rung, ladder, { announces: true }));
      const ends = new Set<number>();
      playlists.forEach((text, rung) => {
        const { id, kind } = ladder.rungs[rung]!;
        const { segments, announced, target, isEnded } = readHls(text);
        expect(isEnded).toBe(true);
        const inDash = periods.flatMap(({ urls }) => urls[id] ?? []);
        expect(inDash, `law 2: ${id}`).toEqual(segments.map(({ uri }) => uri.replace(/\.vtt$/, '.m4s')));
        expect(announced, `law 2: announcements of ${id}`).toEqual(readHls(playlists[0]!).announced);
        expect(segments.at(-1)!.discontinuity, `law 3: ${id}`).toBe(spans.length - 1);
        const sum = segments.reduce((total, one) => total + one.duration, 0);
        // Audio lasts as long as its frames; each asset and each replaced range may end a frame beside its border.
        const [isAudio, cuts] = [kind === 'audio', spans.length + 1];
        const off = Math.abs(sum / 1000 - millisOf(duration));
        expect(off, `law 6: the sum of EXTINF of ${id}`).toBeLessThan(isAudio ? 25 * cuts : 1);
        let elapsed = 0;
        let last = -1;
        for (const one of segments) {
          expect(Math.round(one.duration / 1e6), `law 4: ${one.uri}`).toBeLessThanOrEqual(target);
          expect(one.duration, one.uri).toBeGreaterThan(0);
          const most = isAudio ? 25 * cuts : frameMillis;
          expect(Math.abs(one.date - START - elapsed / 1000), `law 6: ${one.uri}`).toBeLessThan(most);
          const beside = Math.abs(one.date - spans[one.discontinuity]!.placed.startsAt);
          if (one.discontinuity !== last) expect(beside, one.uri).toBeLessThanOrEqual(isAudio ? 25 : 0);
          elapsed += one.duration;
          last = one.discontinuity;
        }
        const ending = segments.filter(({ discontinuity }) => discontinuity === last);
        const lasts = ending.reduce((total, one) => total + one.duration, 0);
        // Shaka Player never ends otherwise (src/hls/writeVodMedia.ts).
        if (isAudio) expect(1000 * (ending[0]!.date - segments[0]!.date) - sum + lasts, id).toBeGreaterThanOrEqual(0);
        if (kind !== 'text') ends.add(Math.round(1000 * ending[0]!.date + lasts));
      });
      expect(ends.size, 'sound and picture end together').toBe(1);
      expect(periods.map(({ id }) => id)).toEqual(spans.map(({ id }) => id));
      expect(new Set(periods.map(({ id }) => id)).size, 'Period ids are unique').toBe(periods.length);
      let end = 0;
      for (const { id, start, duration: lasts, urls } of periods) {
        expect(start, `law 7: Period ${id}`).toBe(end);
        end = start + lasts!;
        for (const { id: rung } of ladder.rungs) expect(urls[rung]!.length, `law 5: ${id}`).toBeGreaterThan(0);
      }
      expect(mpd).toContain(` mediaPresentationDuration="PT${end / 1000}S" `);
      expect(Math.abs(end - millisOf(duration)), 'law 6: the sum of Periods').toBeLessThanOrEqual(0.5);
    }),
    lawRuns(30),
  );
});

test('hls-parser and mpd-parser read the same segments', () => {
  fc.assert(
    fc.property(assets, fc.integer(), (list, seed) => {
      const title = titleOf(list as [Asset, ...Asset[]]);
      const { ladder } = title;
      const { spans } = presentationOf(title, randomBreaks(title, seededRandom(seed)), START);
      const text = writeVodMedia(spans, 0, ladder, { announces: true });
      const inHls = hlsParser.parse(text) as hlsParser.types.MediaPlaylist;
      expect([inHls.playlistType, inHls.endlist, inHls.mediaSequenceBase]).toEqual(['VOD', true, 0]);
      const mpd = writeStaticMpd(spans, { ladder, baseUrl: 's/', eventsOf: announcedEvents(true) });
      const inDash = parseMpd(mpd, { manifestUri: 'https://o.test/dash/c/' });
      type Parsed = { attributes: { NAME: string }; segments: { resolvedUri: string; timeline: number }[] };
      const [video] = (inDash.playlists as Parsed[]).filter(
        ({ attributes }) => attributes.NAME === ladder.rungs[0]!.id,
      );
      const resolved = inHls.segments.map(({ uri }) => new URL(uri, 'https://o.test/dash/c/s/').href);
      expect(video!.segments.map(({ resolvedUri }) => resolvedUri)).toEqual(resolved);
      expect(inDash.duration).toBeCloseTo(
        spans.reduce((sum, { placed }) => sum + placed.clip.duration, 0) / FLICKS_PER_SECOND,
        2,
      );
    }),
    lawRuns(6),
  );
});
