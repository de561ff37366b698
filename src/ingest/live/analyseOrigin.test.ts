// SPDX-License-Identifier: Apache-2.0
// An analysis lists the breaks of manifests whose media cannot be used, and reports markers with their lines.
import { describe, expect, test } from 'vitest';
import { memoryOrigin } from '../../../test/live/origin/memoryOrigin.ts';
import { naming } from '../../../test/naming.ts';
import {
  base64,
  encodeSection,
  hexadecimal,
  insertFields,
  segmentationDescriptor,
  spliceTime,
} from '../../../test/scte35/encodeSection.ts';
import { millis } from '../../time/units.ts';
import { analyseOrigin } from './analyseOrigin.ts';
import { createDashSampler } from './dash/sampleDashOrigin.ts';
import { sampleHlsOrigin } from './hls/sampleHlsOrigin.ts';
import { shareBorder } from './originAnalysis.ts';

const BASE = 'https://origin.test/';
const now = () => millis(Date.parse('2026-11-01T10:00:00Z'));

const originOf = (files: Readonly<Record<string, string>>) => memoryOrigin((url) => files[url.replace(BASE, '')]);

async function analyse(files: Readonly<Record<string, string>>) {
  const [name] = Object.keys(files);
  const sample = { hls: sampleHlsOrigin, dash: createDashSampler(now) };
  const deps = { origin: originOf(files), now, sample, log: () => undefined };
  const { breaks, warnings, problems, playable } = await analyseOrigin(deps, `${BASE}${name}`);
  expect(playable).toBeUndefined();
  expect(problems).not.toEqual([]);
  const time = (at: number | undefined) => at && new Date(at).toISOString();
  return {
    breaks: breaks.map((each) => {
      const { startsAt, endsAt, duration, line } = each;
      return { startsAt: time(startsAt), endsAt: time(endsAt), duration, line };
    }),
    offsets: breaks.map(({ offset, endOffset }) => [offset, endOffset]),
    lines: warnings.flatMap(({ line }) => line ?? []),
    warnings: warnings.map(({ text }) => text),
  };
}

const playlist = (...items: readonly (string | number)[]): string =>
  [
    ...['#EXTM3U', '#EXT-X-TARGETDURATION:6', '#EXT-X-MEDIA-SEQUENCE:7'],
    ...items.flatMap((item) => (typeof item === 'string' ? [item] : Array(item).fill('#EXTINF:6,\ns.ts'))),
  ].join('\n');
const cut = '#EXT-X-DISCONTINUITY';
const dated = (time: string) => `#EXT-X-PROGRAM-DATE-TIME:2026-11-01T${time}Z`;

describe('HLS', () => {
  const marked = playlist(dated('09:59:00'), 2, '#EXT-X-CUE-OUT:24', 4, '#EXT-X-CUE-IN', 2);
  const found = { startsAt: '2026-11-01T09:59:12.000Z', endsAt: '2026-11-01T09:59:36.000Z', duration: 24 };

  test('lists the breaks of an origin whose media cannot be read', async () => {
    expect(await analyse({ 'live.m3u8': marked })).toMatchObject({ breaks: [{ ...found, line: 9 }], lines: [] });
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.64001e,mp4a.40.2"\nlive.m3u8';
    expect(await analyse({ 'master.m3u8': master, 'live.m3u8': marked })).toMatchObject({ breaks: [found] });
    expect(await analyse({ 'live.m3u8': `${marked}\n#EXT-X-ENDLIST` })).toMatchObject({ breaks: [found] });
  });

  test('lists the breaks of a playlist with too few segments', async () => {
    const short = playlist(dated('09:59:00'), '#EXT-X-CUE-OUT-CONT:8/30', 1);
    const breaks = [{ startsAt: '2026-11-01T09:59:00.000Z', duration: 22 }];
    expect(await analyse({ 'live.m3u8': short })).toMatchObject({ breaks });
    const master = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=900000\nlive.m3u8';
    expect(await analyse({ 'master.m3u8': master, 'live.m3u8': short })).toMatchObject({ breaks });
  });

  test('names the older markers of a playlist that has too many', async () => {
    const one = ['#EXT-X-CUE-OUT:6', 1, '#EXT-X-CUE-OUT-CONT:3/6', '#EXT-X-CUE-IN', 1];
    const many = (count: number) => Array.from({ length: count }, () => one).flat();
    const { breaks, warnings, lines } = await analyse({ 'live.m3u8': playlist(dated('08:00:00'), ...many(400)) });
    expect(breaks.at(-1)).toMatchObject({ startsAt: '2026-11-01T09:19:48.000Z' });
    expect(breaks.length).toBeLessThan(400);
    expect([warnings[0], lines[0]]).toEqual([naming('1200 tags', 'newest 1000', 'Let the packager'), 5]);
    const fewer = await analyse({ 'live.m3u8': playlist(...many(333)) });
    expect(fewer.warnings.join()).not.toMatch(/tags/);
  });

  test('does not date breaks without dates', async () => {
    const found = await analyse({ 'live.m3u8': playlist(2, '#EXT-X-CUE-OUT:24', 4, '#EXT-X-CUE-IN', 2) });
    expect(found.breaks).toEqual([{ startsAt: undefined, endsAt: undefined, duration: 24, line: 8 }]);
    expect(found.offsets).toEqual([[12, 36]]);
  });

  test('reports markers that cannot be read once, with their lines', async () => {
    const text = playlist('#EXT-X-CUE-IN', 1, '#EXT-OATCLS-SCTE35:%%', 1, '#EXT-X-CUE-OUT:what', 2, '#EXT-X-CUE-IN', 1);
    const found = await analyse({ 'live.m3u8': text });
    expect(found).toMatchObject({ breaks: [{ line: 10 }], lines: [7, 10] });
    expect(found.warnings).toEqual([naming('EXT-OATCLS-SCTE35'), naming('EXT-X-CUE-OUT', 'what')]);
  });

  const other = dated('09:59:00').replace('2026', '2019');
  test.each([
    ['dates begin after the break', 6, [1, '#EXT-X-CUE-OUT:12', cut, 2, '#EXT-X-CUE-IN', cut, dated('09:59:00'), 2]],
    ['no dates follow a discontinuity', 12, [dated('09:59:00'), 1, cut, 1, '#EXT-X-CUE-OUT:12', 2, '#EXT-X-CUE-IN', 2]],
    [
      'dates of other years follow',
      6,
      [other, 1, '#EXT-X-CUE-OUT:12', cut, 2, cut, dated('09:00:00'), '#EXT-X-CUE-IN', 2],
    ],
  ] as const)('lists a break where %s', async (_, offset, items) => {
    expect(await analyse({ 'live.m3u8': playlist(...items) })).toMatchObject({
      breaks: [{ duration: 12 }],
      offsets: [[offset, offset + 12]],
    });
  });

  test('reports what is named like a break and is none', async () => {
    const descriptors = [segmentationDescriptor({ id: 1, typeId: 0x10 })];
    const programme = encodeSection({ type: 6, command: spliceTime(1), descriptors });
    const range = `#EXT-X-DATERANGE:ID="p",PLANNED-DURATION=12,SCTE35-OUT=${hexadecimal(programme)}`;
    const found = await analyse({ 'live.m3u8': playlist(dated('09:59:00'), 1, range, 2, '#EXT-X-CUE-IN', 1) });
    expect(found).toMatchObject({ breaks: [], lines: [12], warnings: [naming('EXT-X-CUE-IN', 'line 7')] });
  });

  test('ends a break after its start if the dates go back', async () => {
    const [out, back] = ['#EXT-X-CUE-OUT:24', '#EXT-X-CUE-IN'];
    const text = playlist(dated('09:00:00'), 2, out, dated('10:00:00'), 4, back, dated('09:00:36'), 2);
    expect(await analyse({ 'live.m3u8': text })).toMatchObject({
      breaks: [{ startsAt: '2026-11-01T10:00:00.000Z', endsAt: '2026-11-01T10:00:24.000Z', duration: 24 }],
    });
  });
});

describe('DASH', () => {
  const section = base64(encodeSection({ type: 5, command: insertFields({ id: 1, duration: 2_700_000 }) }));
  const mpd = (times: string) => `<MPD type="dynamic" availabilityStartTime="2024-01-01T00:00:00Z">
<Period id="1" start="PT10S"><EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="90000">
<Event presentationTime="1800000" duration="2700000"><Signal><Binary>${section}</Binary></Signal></Event>
<Event presentationTime="9000000"><Signal><Binary>%%</Binary></Signal></Event>
</EventStream><AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="90000" media="$Number$.mp4">${times}</SegmentTemplate>
<Representation id="v" bandwidth="1" codecs="avc1.64001e"/></AdaptationSet></Period></MPD>`;

  test.each([
    ['without times of segments', ''],
    ['of a stream that has ended long ago', '<SegmentTimeline><S t="0" d="180000" r="60"/></SegmentTimeline>'],
  ])('lists the breaks of an MPD %s', async (_, times) => {
    const found = await analyse({ 'live.mpd': mpd(times) });
    expect(found.breaks).toEqual([{ startsAt: '2024-01-01T00:00:30.000Z', endsAt: undefined, duration: 30, line: 3 }]);
    expect(found.lines).toEqual([4]);
  });

  test('names the events of an MPD that has too many', async () => {
    const event = mpd('').match(/<Event [^%]*?<.Event>/)![0];
    const events = Array.from({ length: 1200 }, (_, n) => event.replace('1800000', `${90_000 * 60 * n}`)).join('');
    const { breaks, warnings } = await analyse({ 'live.mpd': mpd('').replace(event, events) });
    expect([breaks.length, breaks.at(-1)?.startsAt]).toEqual([1000, '2024-01-01T19:59:10.000Z']);
    expect(warnings).toContainEqual(naming('1201 SCTE-35 events', '1000 nearest', 'Remove'));
  });
});

test('a defect of Midroll is not reported as a fault of the origin', async () => {
  const logged: unknown[] = [];
  const sample = async () => (undefined as unknown as { readonly refused: never }).refused;
  const log = (...line: unknown[]) => void logged.push(line);
  const deps = { origin: originOf({ 'live.m3u8': '#EXTM3U' }), now, sample: { hls: sample, dash: sample }, log };
  const { problems, playable } = await analyseOrigin(deps, `${BASE}live.m3u8`);
  expect({ problems, playable }).toEqual({
    problems: [expect.stringMatching(/^Midroll failed to read this origin: this is a defect of Midroll/)],
  });
  const facts = { url: `${BASE}live.m3u8`, error: expect.any(TypeError) };
  expect(logged).toEqual([['analysing a live origin failed with an error', facts]]);
});

test.each([
  [[0, 2000, 4000], [1000, 2010, 3000], 10, true],
  [[0, 2000, 4000], [1000, 2011, 3000], 10, false],
  [[0, 2000], [5000, 7000], 50, false],
  // Dates of stretches.
  [[8000, 10_000, 0, 2000], [1000, 2000], 0, true],
  [[], [1000], 50, false],
])('%j and %j share a border within %i ms: %s', (a, b, tolerance, expected) => {
  expect(shareBorder(a, b, tolerance)).toBe(expected);
  expect(shareBorder(b, a, tolerance)).toBe(expected);
});

test('reads each border of a day a few times only', () => {
  const borders = Array.from({ length: 43_200 }, (_, n) => 2000 * n);
  let reads = 0;
  const counted = new Proxy(borders, {
    get(target, name) {
      reads += 1;
      return Reflect.get(target, name);
    },
  });
  const others = borders.map((border) => border + 1000);
  expect(shareBorder(counted, others, 50)).toBe(false);
  expect(reads).toBeLessThan(20 * borders.length);
});
