// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { base64, insertSection } from '../../../../test/live/origin/markers/spliceMessages.ts';
import {
  audioRung,
  dashOrigin,
  dashReader,
  MPD_URL,
  numbers,
  START,
  videoRung,
} from '../../../../test/live/origin/memoryOrigin.ts';
import { naming } from '../../../../test/naming.ts';
import type { OriginReading } from '../../../live/origin.ts';
import { joinBytes, writeBox, writeFields } from '../../../mp4/boxes.ts';
import { flicksToSeconds, secondsToFlicks } from '../../../time/units.ts';
import { after } from '../../../timeline/programme/span.ts';

const stretch = (id: string): string => `2026-01-01T00:00:00.000Z/${id}`;
const both = [videoRung, audioRung];

const document = (attributes: string, ...content: string[]): string =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" ${attributes}>\n${content.join('\n')}\n</MPD>`;
const since = 'availabilityStartTime="2026-01-01T00:00:00Z" timeShiftBufferDepth="PT8S"';
const periodOf = (content: string, attributes = 'id="p" start="PT0S"'): string =>
  `<Period ${attributes}>${content}</Period>`;
/** One Period, whose content depends on the time. */
const onePeriod = (content: (seconds: number) => string) =>
  dashOrigin((seconds) => document(since, periodOf(content(seconds))));

/** Segments of two seconds by `$Time$`: those that are complete. */
function timeline(timescale: number, seconds: number, { first = 0, offset = 0, window = 4 } = {}): string {
  const last = Math.floor(seconds / 2);
  const from = Math.max(first, last - window);
  const start = offset + (from - first) * 2 * timescale;
  const entries = last > from ? `<S t="${start}" d="${2 * timescale}" r="${last - from - 1}"/>` : '';
  return `<SegmentTemplate timescale="${timescale}" presentationTimeOffset="${offset}" initialization="$RepresentationID$/i.mp4" media="$RepresentationID$/$Time$.m4s"><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`;
}
type Listed = Parameters<typeof timeline>[2];
const videoSet = (segments: string, more = '', id = 'v') =>
  `<AdaptationSet id="1" mimeType="video/mp4" codecs="avc1.64001f">${more}<Representation id="${id}" bandwidth="900000">${segments}</Representation></AdaptationSet>`;
const video = (seconds: number, listed?: Listed, more = '', id = 'v') =>
  videoSet(timeline(90_000, seconds, listed), more, id);
const audio = (seconds: number, listed?: Listed, id = 'a', lang = 'en') =>
  `<AdaptationSet id="2" mimeType="audio/mp4" lang="${lang}"><Representation id="${id}" bandwidth="64000" codecs="mp4a.40.2">${timeline(48_000, seconds, listed)}</Representation></AdaptationSet>`;

const times = ({ renditions }: OriginReading, rung = 0) =>
  renditions[rung]!.segments.map(({ startsAt }) => (startsAt!.millis - START) / 1000);
const signalsOf = ({ renditions, signals }: OriginReading) =>
  signals.map(({ number, offset, kind, duration }) => {
    const segment = renditions[0]!.segments.find((each) => each.number === number)!;
    const { millis } = after(segment.startsAt!, offset);
    return `${kind} ${(millis - START) / 1000} ${duration && flicksToSeconds(duration)}`;
  });

it('lists the segments of each rung with stable numbers, and nothing while the MPD is the same', async () => {
  const made = onePeriod((seconds) => video(seconds) + audio(seconds));
  const { reader, read, at } = dashReader(made, both);
  const first = await at(9);
  expect(numbers(first)).toEqual(Array(2).fill([1, 2, 3, 4]));
  expect(times(first)).toEqual([0, 2, 4, 6]);
  expect(first.renditions[1]!.segments[3]).toEqual({
    number: 4,
    startsAt: { millis: START + 6000, rest: 0 },
    duration: secondsToFlicks(2),
    media: { url: 'https://o.example/live/a/288000.m4s' },
    init: { url: 'https://o.example/live/a/i.mp4' },
    stretch: stretch('p'),
    mediaTime: 288_000,
  });
  expect(reader.targetDuration()).toBe(2);
  expect(await read(9.5)).toBeUndefined();
  expect(numbers(await at(12))[0]).toEqual([3, 4, 5, 6]);
  // Ten segments were listed and removed in between.
  expect(numbers(await at(40))[0]).toEqual([17, 18, 19, 20]);
  expect(first.warnings).toEqual([]);
});

it('of an origin whose rungs cannot be read otherwise, others take the place of those that have stopped', async () => {
  const made = onePeriod((seconds) => {
    const other = video(seconds, {}, '', 'other').replace('id="1"', 'id="3"');
    return video(Math.min(seconds, 9)) + other + audio(seconds);
  });
  const [plain, substitutes] = [dashReader(made, both), dashReader(made, both, 'substitutes')];
  expect(numbers(await substitutes.at(9))[0]).toEqual([1, 2, 3, 4]);
  expect(numbers(await plain.at(30))[0]).toEqual([1, 2, 3, 4]);
  const reading = await substitutes.at(30);
  expect(times(reading).at(-1)).toBe(times(reading, 1).at(-1));
  expect(reading.warnings).toEqual([naming('"1/v"', '"3/other"')]);
});

it('continues the numbers over Periods, and finds rungs whose ids have changed', async () => {
  const made = dashOrigin((seconds) => {
    const old = Math.min(seconds, 10);
    const [first, last] = [{ first: 5, offset: 7 }, { first: 5 }];
    const next = video(seconds, first, '', 'other') + audio(seconds, last, 'sv', 'sv') + audio(seconds, last, 'x');
    return document(
      since,
      ...(seconds < 14 ? [periodOf(video(old) + audio(old))] : []),
      ...(seconds < 10 ? [] : [periodOf(next, 'id="q" start="PT10S"')]),
    );
  });
  const { at } = dashReader(made, both);
  await at(9);
  const second = await at(13);
  expect(numbers(second)[0]).toEqual([2, 3, 4, 5, 6]);
  expect(times(second, 1)).toEqual([2, 4, 6, 8, 10]);
  const stretches = [...Array(4).fill(stretch('p')), stretch('q')];
  expect(second.renditions[0]!.segments.map((each) => each.stretch)).toEqual(stretches);
  expect(second.renditions[1]!.segments.at(-1)!.media.url).toContain('/x/0.m4s');
  expect(second.warnings).toEqual([
    naming('"q"', '1/v', '1/other'),
    naming('"q"', '2/a', '2/x'),
    naming('line 3', 'is new'),
  ]);
  expect(numbers(await at(15))).toEqual(Array(2).fill([6, 7]));
});

/** A Period of four seconds, and one after it. */
const twoPeriods = (first: string, second: (seconds: number) => string) =>
  dashOrigin((seconds) =>
    document(since, periodOf(first, 'id="p" start="PT0S" duration="PT4S"') + periodOf(second(seconds), 'id="q"')),
  );

it('leaves out a Period without one of the rungs', async () => {
  const made = twoPeriods(video(4) + audio(4), (seconds) => video(seconds, { first: 2 }));
  const reading = await dashReader(made, both).at(9);
  expect(numbers(reading)).toEqual(Array(2).fill([1, 2]));
  expect(reading.warnings).toEqual([naming('"q"', 'audio', '"en"')]);
});

it('keeps the protection that differs from that of the rung', async () => {
  const protection = '<ContentProtection schemeIdUri="urn:mpeg:dash:mp4protection:2011" value="cenc"/>';
  const made = twoPeriods(video(4), (seconds) => video(seconds, { first: 2 }, protection));
  const { renditions } = await dashReader(made).at(7);
  expect(renditions[0]!.segments.map((each) => each.protection?.length)).toEqual([undefined, undefined, 1]);
});

it('starts a new stretch when the encoder restarts', async () => {
  const made = dashOrigin((seconds) => {
    const [began, id] = seconds < 20 ? ['2026-01-01T00:00:00Z', 0] : ['2026-01-01T00:00:20Z', 20];
    return document(`availabilityStartTime="${began}"`, periodOf(video(seconds - id), 'id="0" start="PT0S"'));
  });
  const { at } = dashReader(made);
  const before = await at(19);
  const restarted = await at(25);
  expect(numbers(before)[0]).toEqual([6, 7, 8, 9].map((each) => each - 5));
  expect(numbers(restarted)[0]![0]).toBeGreaterThan(numbers(before)[0]!.at(-1)!);
  expect(times(restarted)).toEqual([20, 22]);
  expect(restarted.renditions[0]!.segments[0]!.stretch).not.toBe(before.renditions[0]!.segments[0]!.stretch);
});

describe('segments by the clock', () => {
  const template = '<SegmentTemplate timescale="90000" duration="180000" startNumber="7" media="$Number$.m4s"/>';
  const text = (timing: string) => document(since, timing, periodOf(videoSet(template)));
  it('appear without a new MPD', async () => {
    const { read, at } = dashReader(dashOrigin(() => text('')));
    expect(numbers(await at(5))[0]).toEqual([7, 8]);
    expect(await read(5.9)).toBeUndefined();
    expect(numbers(await at(6))[0]).toEqual([7, 8, 9]);
  });
  it.each([
    ['http-iso', 'https://time.example/iso'],
    ['http-head', 'https://time.example/iso'],
    ['direct', ''],
  ])('follow the clock of UTCTiming %s', async (kind, value) => {
    const made = dashOrigin((seconds) => {
      const stated = value || new Date(START + seconds * 1000).toISOString();
      return text(
        `<UTCTiming schemeIdUri="urn:mpeg:dash:utc:ntp:2014" value="x"/><UTCTiming schemeIdUri="urn:mpeg:dash:utc:${kind}:2014" value="${stated}"/>`,
      );
    });
    made.state.ahead = 60;
    made.files.set('https://time.example/iso', new Date(START + 5000).toISOString());
    const reading = await dashReader(made).at(5);
    expect([numbers(reading), reading.warnings]).toEqual([[[7, 8]], []]);
  });
  it('follow the local clock otherwise, with a warning', async () => {
    const made = dashOrigin(() => text('<UTCTiming schemeIdUri="urn:mpeg:dash:utc:ntp:2014" value="pool"/>'));
    const reading = await dashReader(made).at(5);
    expect([numbers(reading), reading.warnings]).toEqual([[[7, 8]], [naming('utc:ntp')]]);
  });
});

it('requests the Location of the MPD, and its own URL again when that fails', async () => {
  const location = 'https://edge.example/s/1.mpd?session=a';
  const made = dashOrigin((seconds) =>
    document(since, `<Location>${location}</Location>`, periodOf(video(seconds), 'start="PT0S"')),
  );
  const { reader, at } = dashReader(made);
  await at(5);
  await at(7);
  expect(made.requests.map((request) => request.url)).toEqual([MPD_URL, location]);
  made.files.set(location, '<MPD');
  const failed = await reader.read();
  expect(failed).toEqual({ refused: naming('https://edge.example/s/1.mpd') });
  expect(JSON.stringify(failed)).not.toContain('session');
  await at(11);
  expect(made.requests.at(-1)!.url).toBe(MPD_URL);
});

it('reports failures with the status, or with the line of the MPD', async () => {
  const made = dashOrigin((seconds) => (seconds < 5 ? 503 : document(since, '<Period start="x"/>')));
  const { reader } = dashReader(made, both);
  expect(await reader.read()).toEqual({ refused: naming('https://o.example/live/manifest.mpd', '503'), status: 503 });
  made.state.seconds = 6;
  expect(await reader.read()).toMatchObject({ warnings: [naming('line 2', 'Period@start')] });
});

it('ends when the MPD becomes static', async () => {
  const made = dashOrigin((seconds) => {
    const text = document(since, periodOf(video(Math.min(seconds, 10))));
    return seconds < 12 ? text : text.replace('type="dynamic"', 'type="static"').replace(since, '');
  });
  const { at } = dashReader(made);
  const readings = [await at(9), await at(13)];
  expect(readings.map(({ isEnded }) => isEnded)).toEqual([false, true]);
  expect(numbers(readings[1]!)[0]).toEqual([2, 3, 4, 5]);
});

const bytes = insertSection({ id: 5, isOut: true, mediaMs: 5500, durationMs: 30_000 });
describe('markers', () => {
  const events = (list: string) =>
    `<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="90000">${list}</EventStream>`;
  const event = (seconds: number, id: number, insert: string) =>
    `<Event presentationTime="${seconds * 90_000}" id="${id}"><Signal xmlns="urn:scte:scte35:2013:xml"><SpliceInfoSection>${insert}</SpliceInfoSection></Signal></Event>`;
  const out = (id: number, seconds: number) =>
    `<SpliceInsert spliceEventId="${id}" outOfNetworkIndicator="true"><Program/><BreakDuration autoReturn="true" duration="${seconds * 90_000}"/></SpliceInsert>`;
  it('are placed on the segments of the first rung, ahead too', async () => {
    const made = onePeriod((seconds) => events(event(6, 1, out(1, 30)) + event(60, 2, out(2, 15))) + video(seconds));
    const reading = await dashReader(made).at(9);
    expect(signalsOf(reading)).toEqual(['out 6 30', 'out 60 15']);
    expect(reading.signals[0]).toMatchObject({ number: 4, offset: 0, line: 2 });
    expect(signalsOf(await dashReader(made).at(15))).toEqual(signalsOf(reading));
  });
  it('are read again when only they change', async () => {
    let list = '';
    const { at } = dashReader(onePeriod(() => events(list) + video(9)));
    await at(9);
    list = event(12, 1, out(1, 30));
    expect(signalsOf(await at(9.5))).toEqual(['out 12 30']);
    list = event(14, 1, out(1, 30));
    expect(signalsOf(await at(9.6))).toEqual(['out 14 30']);
  });

  const inband = '<InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin" value="1"/>';
  const SEGMENT = 'https://o.example/live/v/360000.m4s';
  const text = (value: string): Uint8Array => new TextEncoder().encode(`${value}\0`);
  /** At 5.5 s. */
  const segment = (version: 0 | 1, time: number, message = bytes) => {
    const names = [text('urn:scte:scte35:2013:bin'), text('1')];
    const emsg =
      version === 0
        ? writeBox('emsg', writeFields(0), ...names, writeFields(1000, time, 30_000, 1), message)
        : writeBox('emsg', writeFields(0x01000000, 1000, 0, time, 30_000, 1), ...names, message);
    return joinBytes([writeBox('styp', text('msdh')), emsg, writeBox('moof', new Uint8Array(90)), new Uint8Array(90)]);
  };
  const withInband = (list = () => '') => onePeriod((seconds) => list() + video(seconds, {}, inband));
  it.each([
    [0, 1500],
    [1, 5500],
  ] as const)('are read from segments, version %d', async (version, time) => {
    const made = withInband();
    made.files.set(SEGMENT, segment(version, time));
    const { at } = dashReader(made);
    const reading = await at(7);
    expect(signalsOf(reading)).toEqual(['out 5.5 30']);
    expect(reading.signals[0]).toMatchObject({ raw: naming('<emsg'), source: 'urn:scte:scte35:2013:bin' });
    expect(reading.warnings).toEqual([naming('v/0.m4s', '404'), naming('v/180000.m4s', '404')]);
    expect(signalsOf(await at(9))).toEqual(['out 5.5 30']);
    const ofSegment = made.requests.filter(({ url }) => url === SEGMENT);
    expect(ofSegment).toEqual([{ url: SEGMENT, range: { start: 0, length: 65_536 } }]);
  });
  it('are read from segments in XML, whatever its prefix and what is around it', async () => {
    const made = withInband();
    const section = `<s:SpliceInfoSection>${out(5, 30).replace(/<\/?/g, '$&s:')}</s:SpliceInfoSection>`;
    made.files.set(SEGMENT, segment(1, 5500, text(`\n${section}\n`)));
    expect(signalsOf(await dashReader(made).at(7))).toEqual(['out 5.5 30']);
  });
  it('in the MPD and in segments are one signal, wherever they were first', async () => {
    const first = events(
      `<Event presentationTime="${5.5 * 90_000 + 1}" id="9"><Signal xmlns="urn:scte:scte35:2013:xml"><Binary>${base64(bytes)}</Binary></Signal></Event>`,
    );
    let list = first;
    const made = withInband(() => list);
    made.files.set(SEGMENT, segment(1, 5500));
    const announced = await dashReader(made).at(7);
    expect(announced.signals.map(({ raw }) => raw)).toEqual([naming('<Event')]);
    list = '';
    const { at } = dashReader(made);
    const [before] = (await at(7)).signals;
    list = first;
    const { signals } = await at(9);
    expect(before).toMatchObject({ raw: naming('<emsg') });
    expect(signals.map(({ raw }) => raw)).toEqual([before!.raw]);
  });
});
