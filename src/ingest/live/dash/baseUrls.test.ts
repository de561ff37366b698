// SPDX-License-Identifier: Apache-2.0
// Several BaseURLs for the same segments.
import { beforeEach, expect, test } from 'vitest';
import { dashReader, MPD_URL, memoryOrigin, START, videoRung } from '../../../../test/live/origin/memoryOrigin.ts';
import { naming } from '../../../../test/naming.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { Millis } from '../../../time/units.ts';
import { createDashSampler } from './sampleDashOrigin.ts';

let state: { seconds: number; ahead: number };
let mpd: string;
let dead: readonly string[];
let probes: string[];
beforeEach(() => {
  [state, mpd, dead, probes] = [{ seconds: 12, ahead: 0 }, document(5), [], []];
});

const now = () => (START + state.seconds * 1000) as Millis;
const origin = memoryOrigin((url, { range }) => {
  if (range === undefined) return mpd;
  probes.push(url);
  return dead.some((each) => url.startsWith(each)) ? 404 : new Uint8Array(1);
});

const bases = (...urls: string[]) => urls.map((each) => `<BaseURL>${each}</BaseURL>`).join('');
/** The newest segment is `last`. */
function document(last: number, ofMpd = bases('https://a.example/', 'https://b.example/'), ofSet = ''): string {
  return `<MPD type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z">${ofMpd}<Period id="p" start="PT0S"><AdaptationSet id="1" mimeType="video/mp4">${ofSet}<SegmentTemplate timescale="1" startNumber="${last - 2}" media="$Number$.m4s"><SegmentTimeline><S t="${(last - 2) * 2}" d="2" r="2"/></SegmentTimeline></SegmentTemplate><Representation id="v" bandwidth="900000" codecs="avc1.64001f"/></AdaptationSet></Period></MPD>`;
}

const openReader = () => dashReader({ origin, now, state }, [{ ...videoRung, timescale: 1 }]);
/** Reads while the newest segment is `last`. */
function openLive(): (last: number) => Promise<OriginReading> {
  const { at } = openReader();
  return (last) => {
    mpd = document(last);
    return at(last * 2 + 2);
  };
}
const hosts = ({ renditions: [one] }: OriginReading) => one!.segments.map(({ media }) => media.url.slice(8, 9));
const numbers = ({ renditions: [one] }: OriginReading) => one!.segments.map(({ number }) => number);

test('new segments are listed under the next BaseURL when those of the first are gone, and stay there until that fails', async () => {
  const read = openLive();
  expect(hosts(await read(5))).toEqual(['a', 'a', 'a']);
  dead = ['https://a.example/'];
  const second = await read(6);
  expect([hosts(second), numbers(second)]).toEqual([
    ['b', 'b', 'b'],
    [4, 5, 6],
  ]);
  expect(second.warnings).toEqual([naming('https://a.example/', '404')]);
  dead = [];
  expect(hosts(await read(7))).toEqual(['b', 'b', 'b']);
  dead = ['https://b.example/'];
  expect(hosts(await read(8))).toEqual(['a', 'a', 'a']);
});

test('segments stay where they are while all BaseURLs fail, and the warning names each', async () => {
  const read = openLive();
  dead = ['https://'];
  const reading = await read(5);
  expect(hosts(reading)).toEqual(['a', 'a', 'a']);
  expect(reading.warnings).toEqual([naming('https://a.example/4.m4s', 'https://b.example/4.m4s')]);
  dead = [];
  expect((await read(6)).warnings).toEqual([]);
});

const priority =
  '<BaseURL dvb:priority="5">https://a.example/</BaseURL><BaseURL dvb:priority="1">https://b.example/</BaseURL>';

test.each([
  [
    'of both levels are combined',
    document(5, bases('https://a.example/', 'https://b.example/'), bases('x/', 'y/')),
    4,
    'https://b.example/y',
  ],
  ['have the priority that DVB states', document(5, priority), 1, 'https://b.example/4'],
  ['may be one alone, which is not tried', document(5, bases('https://a.example/')), 0, undefined],
])('BaseURLs %s', async (_, text, count, last) => {
  mpd = text;
  if (count > 1) dead = ['https://a.example/', 'https://b.example/x'];
  expect(await openReader().at(12)).toMatchObject({ renditions: [{ segments: [{}, {}, {}] }] });
  expect(probes).toHaveLength(count);
  if (last !== undefined) expect(probes.at(-1)).toContain(last);
});

test('an analysis uses the BaseURL that works, and names all if none does', async () => {
  const sample = () => createDashSampler(now)(MPD_URL, origin);
  dead = ['https://a.example/'];
  expect(await sample()).toMatchObject({ reading: { warnings: [naming('https://a.example/', '404')] } });
  dead = ['https://'];
  expect(await sample()).toMatchObject({ refused: naming('https://a.example/4.m4s', 'https://b.example/4.m4s') });
});
