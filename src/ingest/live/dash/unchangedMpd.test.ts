// SPDX-License-Identifier: Apache-2.0
// MPDs that an origin does not send again, because they have not changed.
import { beforeEach, expect, test } from 'vitest';
import type { OriginReading } from '../../../live/origin.ts';
import type { Millis } from '../../../time/units.ts';
import type { Origin } from '../../ports.ts';
import { createDashOriginReader } from './createDashOriginReader.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
const url = 'https://o.example/live/manifest.mpd';
const rung = {
  ...({ key: '1/v', kind: 'video', container: 'fmp4', codecs: 'avc1.64001f', timescale: 1 } as const),
  bandwidth: 900_000,
  averageBandwidth: 900_000,
};

let seconds: number;
let mpd: string;
let etag: string | undefined;
/** Statuses and validators of the requests for the MPD, in order. */
let seen: { readonly status: number; readonly validator: string | undefined }[];
beforeEach(() => {
  [seconds, etag, seen] = [20, '"1"', []];
});

const origin: Origin = {
  async read(requested, { headers } = {}) {
    const validator = headers?.['if-none-match'];
    const status = validator !== undefined && validator === etag ? 304 : 200;
    seen.push({ status, validator });
    if (status === 304) return { ok: false, reason: 'returned status 304', status };
    const bytes = new TextEncoder().encode(mpd);
    return { ok: true, url: requested, status, contentType: '', bytes, ...(etag === undefined ? {} : { etag }) };
  },
  save: async () => ({ ok: false, reason: 'is not stored' }),
};
const statuses = () => seen.map(({ status }) => status);

function openReader(): (at: number) => Promise<OriginReading | undefined> {
  const now = () => (START + seconds * 1000) as Millis;
  const reader = createDashOriginReader({ origin, feed: { url, rungs: [rung] }, now });
  return async (at) => {
    seconds = at;
    const reading = await reader.read();
    if (reading !== undefined && 'refused' in reading) throw new Error(reading.refused);
    return reading;
  };
}
const numbersOf = (reading: OriginReading | undefined) => reading?.renditions[0]?.segments.map(({ number }) => number);

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
  expect(numbersOf(await readAt(16))).toEqual([5, 6, 7]);
  expect(await readAt(17)).toBeUndefined();
  [mpd, etag] = [listed(6, 3), '"2"'];
  expect(numbersOf(await readAt(18))).toEqual([6, 7, 8]);
  expect(await readAt(19)).toBeUndefined();
  expect(seen.map(({ validator }) => validator)).toEqual([undefined, '"1"', '"1"', '"2"']);
  expect(statuses()).toEqual([200, 304, 200, 304]);
});

test('the clock adds segments to an MPD that is not sent again', async () => {
  const readAt = openReader();
  mpd = byClock();
  const first = numbersOf(await readAt(20));
  const second = numbersOf(await readAt(22));
  expect(second).toEqual(first!.map((number) => number + 1));
  expect(statuses()).toEqual([200, 304]);
});

test('the time that an MPD states is that of its first response', async () => {
  const readAt = openReader();
  const timing = (at: string) => `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:direct:2014" value="2026-01-01T${at}Z"/>`;
  mpd = byClock(timing('00:00:30'));
  const newestAt = async (at: number) => numbersOf(await readAt(at))?.at(-1);
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
  expect(numbersOf(await readAt(19))).toEqual([6, 7, 8]);
  expect(seen.map(({ validator }) => validator)).toEqual([undefined, undefined, undefined, undefined]);
});
