// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { LiveMpd } from '../../dash/read/live/liveMpd.ts';
import { readingLiveMpd, readLiveMpd } from '../../dash/read/live/readLiveMpd.ts';
import { readingMpd } from '../../dash/read/readMpd.ts';
import { readingMedia } from '../../hls/readMedia.ts';
import { readingMultivariant } from '../../hls/readMultivariant.ts';
import { placingEvents } from '../../markers/placeEvents.ts';
import { placingTags } from '../../markers/placeTags.ts';
import { readingFeed } from '../../mrss/readFeed.ts';
import { readingTtml } from '../../subtitles/readTtml.ts';
import { readingWebvtt } from '../../subtitles/webvtt.ts';
import type { Sliced } from '../../time/sliced.ts';
import { flicks, millis } from '../../time/units.ts';
import { decodingXml } from '../../xml/decodeXml.ts';
import type { XmlElement } from '../../xml/element.ts';
import { splitParts } from '../import/hlsParts.ts';
import { originSegments } from '../live/dash/dashReadings.ts';
import { createSegmentCounter } from '../live/dash/segmentCounter.ts';
import { createRungPlaylist } from '../live/hls/rungPlaylist.ts';
import { windowTimes } from '../live/hls/sampleWindow.ts';
import { seenBreaks, seenMarkers } from '../live/originAnalysis.ts';
import { inTurns } from './inTurns.ts';

test('one slice of all work is done in each turn', async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const slices: number[] = [];
  function* work(): Sliced<string> {
    for (let slice = 0; slice < 5; slice += 1) {
      slices.push(turn);
      yield;
    }
    return 'done';
  }
  expect(await Promise.all([1, 2, 3].map(() => inTurns(1e6, work())))).toEqual(['done', 'done', 'done']);
  isOver = true;
  expect(new Set(slices).size).toBe(15);
});

const base = 'https://a.example/x/b';
const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:2\n${'#EXTINF:2,\na.ts\n'.repeat(50_000)}`;
const mpd = (type: string, set: string): string =>
  `<MPD type="${type}" mediaPresentationDuration="PT24H" availabilityStartTime="2026-01-01T00:00:00Z"><Period><AdaptationSet mimeType="video/mp4">${set}<Representation id="a"/><Representation id="b"/></AdaptationSet></Period></MPD>`;
const template = 'timescale="1" media="$Number$" initialization="i"';
const timeline = `<SegmentTemplate ${template}><SegmentTimeline>${'<S d="2"/>'.repeat(40_000)}</SegmentTimeline></SegmentTemplate>`;
const repeat = timeline.replace(/(<S d="2"\/>)+/, '<S d="2" r="39999"/>');
const list = `<SegmentList duration="2">${'<SegmentURL media="a"/>'.repeat(40_000)}</SegmentList>`;
const now = { now: { millis: millis(Date.parse('2026-01-02T00:00:00Z')), rest: 0 } } as Parameters<
  typeof readingLiveMpd
>[2];
function* parts(text: string): Sliced<unknown> {
  const read = yield* readingMedia(text);
  return 'refused' in read ? read : yield* splitParts({ ...read, ended: true }, base);
}

function* converted(text: string): Sliced<unknown> {
  const { periods } = readLiveMpd(text, base, now) as LiveMpd;
  const period = periods[0]!;
  return yield* originSegments({}, [{ period, representation: period.representations[0]! }], createSegmentCounter());
}
const tag = { name: 'EXT-X-CUE-OUT', value: '10', line: 1, segment: 0 };
const event = { start: flicks(0), scheme: 'urn:scte:scte35:2013:bin', line: 1 };
const element = { attributes: { messageData: '/DA=' } } as unknown as XmlElement;

const timed = Array.from({ length: 50_000 }, (_, number) => ({
  number,
  duration: flicks(1),
  media: { url: base },
  stretch: '',
  startsAt: { millis: millis(number), rest: flicks(0) },
}));
const reading = { renditions: [{ key: '', segments: timed }], signals: [], warnings: [], isEnded: false };

const at = { millis: millis(0), rest: flicks(0) };
const origin = { start: at, edge: at, isDated: true, signals: [] };

/** Each of the texts has so much that it would take a tenth of a second at once. */
test.each<readonly [name: string, work: () => Sliced<unknown>, least: number]>([
  ['a live playlist', () => createRungPlaylist().take({ text: playlist, url: base }, new Map()), 120],
  ['a playlist on demand', () => parts(playlist), 60],
  ['variants', () => readingMultivariant(`#EXTM3U\n#EXT-X-STREAM-INF:\nv\n${'\n'.repeat(99_000)}`), 90],
  ['lines', () => readingMedia(`#EXTM3U\n${'\n'.repeat(199_000)}`), 90],
  ['a live MPD', () => readingLiveMpd(mpd('dynamic', timeline), base, now), 70],
  ['a repeated S', () => readingLiveMpd(mpd('dynamic', repeat), base, now), 30],
  ['a live list', () => readingLiveMpd(mpd('dynamic', list), base, now), 70],
  ['a static MPD', () => readingMpd(mpd('static', timeline), base), 40],
  ['a static list', () => readingMpd(mpd('static', list), base), 50],
  ['an MPD with a carriage return', () => readingMpd(mpd('static', `\r\n${timeline}`), base), 30],
  ['attributes', () => readingMpd(mpd('static', `<a ${'b="" '.repeat(1)}/>`.repeat(199_000)), base), 90],
  ['an MRSS feed', () => readingFeed(`<rss>${'<channel/>'.repeat(99_000)}</rss>`), 40],
  ['bare ampersands', () => readingFeed(`<rss><channel><title>${'& '.repeat(99_000)}</title></channel></rss>`), 20],
  ['the segments of a live MPD', () => converted(mpd('dynamic', timeline)), 20],
  ['marker tags', () => placingTags(Array(1000).fill(tag), { borders: [flicks(0)], dates: [] }), 15],
  [
    'dates of a date range',
    () =>
      placingTags([{ ...tag, name: 'EXT-X-DATERANGE' }], { borders: [flicks(0)], dates: Array(50_000).fill('2026') }),
    10,
  ],
  ['events', () => placingEvents([{ start: flicks(0), events: Array(1000).fill({ ...event, element }) }]), 15],
  ['WebVTT', () => readingWebvtt(`WEBVTT\n\n${'00:00:01.000 --> 00:00:02.000\nx\n\n'.repeat(30_000)}`), 40],
  ['single bytes', () => decodingXml(new Uint8Array(2 ** 22).fill(0xe4), 'latin1'), 30],
  ['single bytes among UTF-8', () => decodingXml(Buffer.from('\u00e4\u00c3\u00a4'.repeat(2 ** 20), 'latin1')), 20],
  [
    'a large feed',
    () => readingFeed(`<rss><channel>${`<item>${'<a/>'.repeat(90)}</item>`.repeat(1000)}</channel></rss>`),
    150,
  ],
  ['the times of a playlist', () => windowTimes([{ timed, placed: [] }]), 8],
  ['the markers of an origin', () => seenMarkers({ reading, hasDates: true, format: 'hls' }), 8],
  ['the breaks of an origin', () => seenBreaks(origin, millis(0)), 4],
  ['TTML', () => readingTtml(`<tt><body>${'<p begin="1s" end="2s">x</p>'.repeat(50_000)}</body></tt>`), 120],
])('parsing can be interrupted: %s', (_, work, least) => {
  const running = work();
  let slices = 1;
  let step = running.next();
  for (; !step.done; step = running.next()) slices += 1;
  expect(step.value).toEqual(expect.not.objectContaining({ refused: expect.any(String) }));
  expect(slices).toBeGreaterThan(least);
});
