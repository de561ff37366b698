// SPDX-License-Identifier: Apache-2.0
// MPDs that a packager writes differently from one reading to the next, while the media continue.
import { beforeEach, expect, test } from 'vitest';
import {
  dashOrigin,
  dashReader,
  memoryOrigin,
  numbers,
  START,
  videoRung,
} from '../../../../test/live/origin/memoryOrigin.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { joinBytes, writeBox, writeFields } from '../../../mp4/boxes.ts';
import type { Millis } from '../../../time/units.ts';

const rungs = [{ ...videoRung, timescale: 1000 }];

type Writing = {
  /** Seconds by which availabilityStartTime is wrong. */
  readonly ahead?: number;
  readonly id?: string;
  readonly timescale?: number;
  /** Names of files. */
  readonly path?: string;
  /** The first segment that is listed, of two seconds each. */
  readonly first?: number;
  readonly count?: number;
  /** The segment before which media times jump by ten seconds. */
  readonly jumpsAt?: number;
  readonly more?: string;
};

function mpdOf(writing: Writing) {
  const { ahead = 0, id = 'p', timescale = 1000, path = 'v', first = 0, count = 6, jumpsAt, more = '' } = writing;
  const startOf = (index: number): number =>
    (index * 2 + (jumpsAt !== undefined && index >= jumpsAt ? 10 : 0)) * timescale;
  const entries = Array.from({ length: count }, (_, at) => `<S t="${startOf(first + at)}" d="${2 * timescale}"/>`);
  return `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="${new Date(START + ahead * 1000).toISOString()}">
<Period id="${id}" start="PT0S"><AdaptationSet id="1" mimeType="video/mp4">${more}<SegmentTemplate timescale="${timescale}" media="${path}$Time$.m4s"><SegmentTimeline>${entries.join('')}</SegmentTimeline></SegmentTemplate>
<Representation id="v" bandwidth="900000" codecs="avc1.64001f"/></AdaptationSet></Period></MPD>`;
}

async function readAll(writings: readonly Writing[], files = new Map<string, Uint8Array>()): Promise<OriginReading[]> {
  let text = '';
  const made = dashOrigin(() => text);
  for (const [url, bytes] of files) made.files.set(url, bytes);
  const { read } = dashReader(made, rungs);
  const readings: OriginReading[] = [];
  for (const writing of writings) {
    text = mpdOf(writing);
    const reading = await read(60);
    if (reading !== undefined) readings.push(reading);
  }
  return readings;
}

const numbersOf = (reading: OriginReading) => numbers(reading)[0]!;
const stretchesOf = ({ renditions }: OriginReading): number =>
  new Set(renditions[0]!.segments.map(({ stretch }) => stretch)).size;
const window = (first: number): number[] => [1, 2, 3, 4, 5, 6].map((number) => number + first);

test.each<[string, Writing]>([
  ['another availabilityStartTime', { ahead: 3600 }],
  ['an availabilityStartTime that is segments ahead', { ahead: 4 }],
  ['another Period@id', { id: 'q' }],
  ['another timescale, and so other names of files', { timescale: 500 }],
  ['another Period@id and other names of files', { id: 'q', path: 'w' }],
])('segments keep their numbers with %s', async (_, change) => {
  const read = await readAll([{}, { first: 2, ...change }, { first: 3, ...change }, { first: 5 }]);
  expect(read.map(numbersOf)).toEqual([0, 2, 3, 5].map(window));
  expect(read.map(stretchesOf)).toEqual([1, 1, 1, 1]);
});

test('an encoder that starts again with the same names has other numbers', async () => {
  const [, after] = await readAll([{ first: 0 }, { first: 0, count: 2, ahead: 60 }]);
  expect(numbersOf(after!)[0]).toBeGreaterThan(6);
});

test('a wrong date of one reading has no effect on the next', async () => {
  for (const ahead of [3600, -3600, 86_400 * 400]) {
    const read = await readAll([{}, { first: 1, ahead }, { first: 2 }]);
    expect(read.map(numbersOf)).toEqual([0, 1, 2].map(window));
  }
});

test('media times that jump in a Period start a stretch, which lasts', async () => {
  const read = await readAll([{}, { first: 2, jumpsAt: 6 }, { first: 6, jumpsAt: 6 }, { first: 8, jumpsAt: 6 }]);
  expect(read.map(numbersOf)).toEqual([0, 2, 6, 8].map(window));
  expect(read.map(stretchesOf)).toEqual([1, 2, 1, 1]);
  const [before, ...after] = read.map(({ renditions }) => renditions[0]!.segments.at(-1)!.stretch);
  expect(new Set(after).size).toBe(1);
  expect(after).not.toContain(before);
});

test('an event message of another century does not prevent the reading', async () => {
  const scheme = new TextEncoder().encode('urn:scte:scte35:2013:bin\x001\0');
  const fields = writeFields(0x01000000, 1, 0xffffffff, 0xffffffff, 0xfffffffe, 1);
  const segment = joinBytes([
    writeBox('emsg', fields, scheme, new Uint8Array(20)),
    writeBox('moof', new Uint8Array(8)),
  ]);
  const files = new Map([['https://o.example/live/v0.m4s', segment]]);
  const more = '<InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin" value="1"/>';
  const [reading] = await readAll([{ more, count: 1 }], files);
  expect(reading).toMatchObject({ signals: [], warnings: [] });
});

// MPDs that an origin does not send again, because they have not changed.

let mpd: string;
let etag: string | undefined;
/** Statuses and validators of the requests for the MPD, in order. */
let seen: { readonly status: number; readonly validator: string | undefined }[];
beforeEach(() => {
  [etag, seen] = ['"1"', []];
});

function openReader(): (at: number) => Promise<OriginReading | undefined> {
  const state = { seconds: 0, ahead: 0 };
  const origin = memoryOrigin((_, { headers }) => {
    const validator = headers?.['if-none-match'];
    const status = validator !== undefined && validator === etag ? 304 : 200;
    seen.push({ status, validator });
    return status === 304 ? status : { body: mpd, ...(etag === undefined ? {} : { etag }) };
  });
  const now = () => (START + state.seconds * 1000) as Millis;
  return dashReader({ origin, now, state }, [{ ...videoRung, timescale: 1 }]).read;
}
const listedBy = (reading: OriginReading | undefined) => reading && numbersOf(reading);
const statuses = () => seen.map(({ status }) => status);

const document = (template: string, more = '') =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z" timeShiftBufferDepth="PT6S">
<Period id="p" start="PT0S"><AdaptationSet id="1" mimeType="video/mp4">${template}<Representation id="v" bandwidth="900000" codecs="avc1.64001f"/></AdaptationSet></Period>${more}</MPD>`;
const listed = (first: number, count: number) =>
  document(
    `<SegmentTemplate timescale="1" startNumber="${first}" media="$Number$.m4s"><SegmentTimeline><S t="${first * 2}" d="2" r="${count - 1}"/></SegmentTimeline></SegmentTemplate>`,
  );
const byClock = (more = '') =>
  document('<SegmentTemplate timescale="1" duration="2" startNumber="0" media="$Number$.m4s"/>', more);

test('an MPD that has not changed is not sent again, and adds nothing', async () => {
  const readAt = openReader();
  mpd = listed(5, 3);
  expect(listedBy(await readAt(16))).toEqual([5, 6, 7]);
  expect(await readAt(17)).toBeUndefined();
  [mpd, etag] = [listed(6, 3), '"2"'];
  expect(listedBy(await readAt(18))).toEqual([6, 7, 8]);
  expect(await readAt(19)).toBeUndefined();
  expect(seen.map(({ validator }) => validator)).toEqual([undefined, '"1"', '"1"', '"2"']);
  expect(statuses()).toEqual([200, 304, 200, 304]);
});

test('the clock adds segments to an MPD that is not sent again', async () => {
  const readAt = openReader();
  mpd = byClock();
  const first = listedBy(await readAt(20));
  const second = listedBy(await readAt(22));
  expect(second).toEqual(first!.map((number) => number + 1));
  expect(statuses()).toEqual([200, 304]);
});

test('the time that an MPD states is that of its first response', async () => {
  const readAt = openReader();
  const timing = (at: string) => `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2026-01-01T${at}Z"/>`;
  mpd = byClock(timing('00:00:30'));
  const newestAt = async (at: number) => listedBy(await readAt(at))?.at(-1);
  const newest = await newestAt(20);
  // Long enough for the clock to be measured again.
  expect(await newestAt(20 + 1200)).toBe(newest! + 600);
  expect(statuses()).toEqual([200, 304]);
});

test('is requested as a whole without an ETag, and after an MPD that cannot be read', async () => {
  const readAt = openReader();
  [mpd, etag] = [listed(5, 3), undefined];
  await readAt(16);
  await readAt(17);
  [mpd, etag] = ['<MPD', '"2"'];
  await expect(readAt(18)).rejects.toThrow();
  mpd = listed(6, 3);
  expect(listedBy(await readAt(19))).toEqual([6, 7, 8]);
  expect(seen.map(({ validator }) => validator)).toEqual([undefined, undefined, undefined, undefined]);
});
