// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readMpd } from '../../../test/laws/readBack.ts';
import { checkMpd } from '../../../test/laws/schema/checkMpd.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { presentationOf, titleOf } from '../../../test/laws/syntheticPresentation.ts';
import { flicks } from '../../time/units.ts';
import type { FrozenBreak } from '../../vod/layOut.ts';
import { readXml } from '../../xml/read.ts';
import { announcedEvents, writeStaticMpd } from './writeMpd.ts';

// 60 frames are 2.002 s, and 37 frames 1.2345666… s.
const film = syntheticAsset({
  name: 'film',
  rate: { n: 30_000, d: 1001 },
  qualities: 2,
  segments: new Array(10).fill([60, 37]).flat(),
});
const title = titleOf([film]);
const breakAt = (number: number, point: number, ...frames: number[]): FrozenBreak => ({
  id: `0-${number}`,
  at: flicks(film.parts[0]!.cutPoints[point]!),
  ads: frames.map((length, index) => ({ adId: `0-${number}-${index}`, mediaId: `cx${length}`, frames: length })),
});
const staticMpdOf = (announces = true): string => {
  const breaks = [breakAt(1, 0, 91), breakAt(2, 5, 91, 107), breakAt(3, 20, 91)];
  const { spans } = presentationOf(title, breaks, Date.parse('2026-03-01T00:00:00.000Z'));
  const text = writeStaticMpd(spans, { ladder: title.ladder, baseUrl: 's/', eventsOf: announcedEvents(announces) });
  checkMpd(text);
  return text;
};

test('is static and has no wall clock', () => {
  const text = staticMpdOf();
  expect(/<MPD [^>]*>/.exec(text)![0]).toBe(
    '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-live:2011" type="static" ' +
      'mediaPresentationDuration="PT45.045S" minBufferTime="PT2S" maxSegmentDuration="PT3S">',
  );
  expect(text).not.toMatch(/UTCTiming|availabilityStartTime|minimumUpdatePeriod|2026-03/);
});

test('Periods tile: each has the rounded start and duration of its span', () => {
  const periods = [...staticMpdOf().matchAll(/<Period [^>]*>/g)].map(([tag]) => tag);
  expect(periods).toEqual([
    '<Period id="0-1-0" start="PT0S" duration="PT3.036S">',
    '<Period id="c1" start="PT3.036S" duration="PT8.476S">',
    '<Period id="0-2-0" start="PT11.512S" duration="PT3.036S">',
    '<Period id="0-2-1" start="PT14.548S" duration="PT3.57S">',
    '<Period id="c4" start="PT18.118S" duration="PT23.891S">',
    '<Period id="0-3-0" start="PT42.009S" duration="PT3.036S">',
  ]);
});

test('content after a break begins at its own media time', () => {
  const offsets = readMpd(staticMpdOf()).map(({ offsets }) => offsets.v0);
  // Ads start at the third frame of their own timeline.
  const ad = `${3 * 1001}`;
  expect(offsets).toEqual([ad, '0', ad, ad, `${(60 + 37 + 60 + 37 + 60) * 1001}`, ad]);
});

test('announces breaks and ads in their Periods, or nothing', () => {
  const announced = readMpd(staticMpdOf()).map(({ announced }) =>
    announced.map(({ id, start, duration }) => [id, start, duration]),
  );
  expect(announced.map((all) => all.map(([id]) => id))).toEqual([
    ['0-1', '0-1-0'],
    [],
    ['0-2', '0-2-0'],
    ['0-2', '0-2-1'],
    [],
    ['0-3', '0-3-0'],
  ]);
  expect(announced[2]).toEqual([
    ['0-2', 11_512, 6.6066],
    ['0-2-0', 11_512, 3.036367],
  ]);
  expect(staticMpdOf(false)).not.toContain('EventStream');
});

test('is ASCII: other characters of a source are written as references', () => {
  const url = 'https://o.test/größe/🎬/$Number$.m4s';
  const foreign = {
    ...film,
    renditions: film.renditions.map((one) => ({
      ...one,
      tracks: one.tracks.map((track) => ({
        ...track,
        urls: { kind: 'number' as const, prefix: url.split('$')[0]!, suffix: '.m4s', first: 1, width: 1 },
      })),
    })),
  };
  const other = titleOf([foreign]);
  const { spans } = presentationOf(other, [], 0);
  const text = writeStaticMpd(spans, { ladder: other.ladder, baseUrl: 's/', eventsOf: announcedEvents(true) });
  expect(text).toMatch(/^[\x20-\x7e\n]*$/);
  const result = readXml(text);
  expect(JSON.stringify(result)).toContain(url);
});
