// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import {
  listing,
  mpd,
  numbers,
  only,
  period,
  places,
  read,
  START,
  secondOf,
  timeline,
  video,
} from '../../../../test/dash/liveMpds.ts';
import { naming } from '../../../../test/naming.ts';
import { flicks, flicksToSeconds, secondsToFlicks } from '../../../time/units.ts';
import { flicksBetween } from './liveTimes.ts';
import type { LiveReading } from './readLiveMpd.ts';

describe('a SegmentTimeline', () => {
  it('is read as ffmpeg writes it', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00.000Z" publishTime="2026-01-01T00:01:00.000Z" minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT6.0S" profiles="urn:mpeg:dash:profile:isoff-live:2011"',
      `<Period id="0" start="PT0.0S"><AdaptationSet id="0" contentType="video" startWithSAP="1" segmentAlignment="true" frameRate="25/1">
        <Representation id="0" mimeType="video/mp4" codecs="avc1.64001f" bandwidth="800000" width="640" height="360">
        <SegmentTemplate timescale="12800" initialization="init-$RepresentationID$.m4s" media="chunk-$RepresentationID$-$Number%05d$.m4s" startNumber="29">
        <SegmentTimeline><S t="716800" d="25600" r="2" /></SegmentTimeline></SegmentTemplate></Representation></AdaptationSet></Period>`,
    );
    const result = read(text, 62);
    expect(listing(only(result))).toEqual([
      [29, 716_800, '00:00:56.000', 2, 'main/chunk-0-00029.m4s'],
      [30, 742_400, '00:00:58.000', 2, 'main/chunk-0-00030.m4s'],
      [31, 768_000, '00:01:00.000', 2, 'main/chunk-0-00031.m4s'],
    ]);
    expect(only(result)).toMatchObject({
      key: '0/0',
      segments: { addressing: 'number', isClocked: false, init: { url: 'https://o.example/live/main/init-0.m4s' } },
    });
    expect(result).toMatchObject({ isEnded: false, warnings: [] });
    expect(flicksToSeconds(result.timeShift!)).toBe(6);
  });

  it('may count from 1970, in units of 100 ns, with offsets beyond 2^53', () => {
    const since = Date.UTC(2026, 0, 1);
    const [offset, first] = [BigInt(since) * 10_000n + 1n, BigInt(since) * 10_000n + 40_000_001n];
    const media = 'media="QualityLevels($Bandwidth$)/Fragments(video=$Time$)"';
    const attributes = `timescale="10000000" presentationTimeOffset="${offset}" ${media}`;
    const segments = timeline(`<S t="${first}" d="20000000" r="1"/>`, attributes);
    const text = mpd('availabilityStartTime="1970-01-01T00:00:00Z"', period(segments, `start="PT${since / 1000}S"`));
    const found = only(read(text, 62)).segments;
    expect(found.segments.map(({ time }) => time)).toEqual([first, first + 20_000_000n]);
    expect(found.segments[1]!.media.url).toContain(`(900000)/Fragments(video=${first + 20_000_000n})`);
    expect(found.segments[0]!.startsAt).toEqual(secondOf(4));
    expect(found.addressing).toBe('time');
  });

  it('counts media and Period from 1970 with an availabilityStartTime of 1970', () => {
    const time = (Date.UTC(2026, 0, 1) / 1000) * 90_000;
    const segments = timeline(`<S t="${time}" d="180000"/>`, 'timescale="90000" media="V300/t$Time$.m4s"');
    const text = mpd('availabilityStartTime="1970-01-01T00:00:00Z" timeShiftBufferDepth="PT1M"', period(segments));
    expect(listing(only(read(text, 10)))).toEqual([[1, time, '00:00:00.000', 2, `main/V300/t${time}.m4s`]]);
  });

  it('repeats an open S up to the clock, and no further than the next S and the Period', () => {
    const open = (entries: string, attributes?: string) => {
      const text = mpd(START, period(timeline(entries, 'timescale="10" media="$Time$.m4s"'), attributes));
      return listing(only(read(text, 7.9))).map(([, time]) => time);
    };
    expect(open('<S t="0" d="20" r="-1"/>')).toEqual([0, 20, 40]);
    expect(open('<S t="0" d="20" r="-1"/>', 'start="PT0S" duration="PT5.5S"')).toEqual([0, 20, 40]);
    expect(open('<S t="0" d="20" r="-1"/>', 'start="PT0S" duration="PT4S"')).toEqual([0, 20]);
    expect(open('<S t="0" d="20" r="-1"/><S t="40" d="10"/>')).toEqual([0, 20, 40]);
  });

  it('keeps the duration of a segment before a gap, with a warning', () => {
    const result = read(mpd(START, period(timeline('<S t="0" d="2" k="2"/><S t="6" d="2" n="9"/>'))), 20);
    expect(places(result)).toEqual(['1/0', '9/6']);
    expect(listing(only(result)).map(([, , , duration]) => duration)).toEqual([2, 2]);
    expect(result.warnings).toEqual([naming('line 3', '4.000')]);
  });

  it('may be empty', () => {
    expect(numbers(read(mpd(START, period(timeline('', 'media="$Number$.m4s"'))), 20))).toEqual([]);
  });

  it('leaves out what is still written', () => {
    const partly = 'availabilityTimeOffset="1.5" availabilityTimeComplete="false"';
    const segments = timeline('<S t="0" d="2" r="4"/>', `timescale="1" ${partly} media="$Number$.m4s"`);
    const result = read(mpd(START, period(segments)), 7);
    expect(numbers(result)).toEqual([1, 2, 3]);
    expect(result.warnings).toEqual([naming('line 3', 'availabilityTimeComplete="false"', 'whole segments')]);
  });

  it('lists only what ends later than an instant', () => {
    const text = mpd(START, period(timeline('<S t="0" d="2" r="9"/>')));
    expect(numbers(read(text, 20, { since: secondOf(15) }))).toEqual([8, 9, 10]);
  });
});

it.each([
  ['', 'p/', 'set/', 'rep/', 'https://o.example/live/main/p/set/rep/'],
  ['../dash/', '', 'set/', '', 'https://o.example/live/dash/set/'],
  ['media', 'p/', '', '', 'https://o.example/live/main/p/'],
  ['https://cdn.example/a/?b=1', 'p/', '../q/', '', 'https://cdn.example/a/q/'],
  ['https://cdn.example/a/', '/root/', '', 'https://other.example/', 'https://other.example/'],
])('BaseURLs "%s", "%s", "%s" and "%s" combine', (root, period, set, representation, expected) => {
  const base = (url: string) => (url === '' ? '' : `<BaseURL>${url}</BaseURL>`);
  const segments = timeline('<S t="0" d="2"/>', 'media="$Number$.m4s" initialization="i.mp4"');
  const text = mpd(
    START,
    `${base(root)}<Period start="PT0S">${base(period)}<AdaptationSet mimeType="video/mp4">${base(set)}<Representation id="v" bandwidth="9" codecs="avc1.64001f">${base(representation)}${segments}</Representation></AdaptationSet></Period>`,
  );
  const found = only(read(text, 20)).segments;
  expect([found.init?.url, found.segments[0]!.media.url]).toEqual([`${expected}i.mp4`, `${expected}1.m4s`]);
});

describe('SegmentTemplate@duration', () => {
  const text = mpd(
    `${START} timeShiftBufferDepth="PT8S" minimumUpdatePeriod="PT500S"`,
    `<BaseURL>https://cdn.example/a/</BaseURL><BaseURL>https://cdn2.example/a/</BaseURL><Location>https://edge.example/s/x.mpd</Location>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="https://time.example/?iso"/>`,
    period(
      '<SegmentTemplate timescale="90000" duration="180000" startNumber="5" presentationTimeOffset="900000" media="$RepresentationID$/$Number$.m4s" initialization="$RepresentationID$/init.mp4"/>',
      'id="p0" start="PT10S"',
    ),
  );
  it('makes complete segments available by the clock', () => {
    expect(numbers(read(text, 11.9))).toEqual([]);
    expect(listing(only(read(text, 12)))).toEqual([[5, 900_000, '00:00:10.000', 2, 'https://cdn.example/a/v/5.m4s']]);
    expect(numbers(read(text, 31))).toEqual([11, 12, 13, 14]);
  });
  it('comes with what the next request needs', () => {
    expect(read(text, 31)).toMatchObject({
      location: 'https://edge.example/s/x.mpd',
      timing: [{ scheme: 'urn:mpeg:dash:utc:http-iso:2014', value: 'https://time.example/?iso' }],
    });
  });
  it('ends with its Period, whose last segment is shorter', () => {
    const ended = text.replace('start="PT10S"', 'start="PT10S" duration="PT7S"');
    expect(listing(only(read(ended, 17))).map(([number, , , duration]) => `${number}: ${duration}`)).toEqual([
      ...['5: 2', '6: 2', '7: 2', '8: 1'],
    ]);
    expect(numbers(read(ended, 16.9))).toEqual([5, 6, 7]);
    expect(numbers(read(ended, 40))).toEqual([]);
  });
  it('is listed to the end when the MPD became static', () => {
    const ended = text.replace('type="dynamic"', 'type="static" mediaPresentationDuration="PT16S"').replace(START, '');
    const result = read(ended, 40, { availabilityStart: secondOf(0) });
    expect(result.isEnded).toBe(true);
    expect(numbers(result)).toEqual([5, 6, 7]);
    expect(result.periods[0]!.stretch).toBe(read(text, 31).periods[0]!.stretch);
  });
});

it('reads a SegmentList that moves', () => {
  const list =
    '<SegmentList timescale="1" duration="2" startNumber="7"><Initialization sourceURL="i.mp4"/><SegmentURL media="g.m4s"/><SegmentURL media="h.m4s"/></SegmentList>';
  expect(listing(only(read(mpd(START, period(list)), 20)))).toEqual([
    [7, 12, '00:00:12.000', 2, 'main/g.m4s'],
    [8, 14, '00:00:14.000', 2, 'main/h.m4s'],
  ]);
});

describe('Periods', () => {
  const timed = (attributes: string, offset: number, entries: string): string =>
    period(timeline(entries, `timescale="1" presentationTimeOffset="${offset}" media="$Time$.m4s"`), attributes);
  const first = timed('id="a" start="PT10S"', 0, '<S t="0" d="2"/>');
  it('continue each other, and end where the next one starts', () => {
    const text = mpd(
      START,
      timed('id="a" start="PT10S"', 100, '<S t="100" d="2" r="5"/>'),
      timed('id="b" start="PT20.000S"', 0, '<S t="0" d="2"/>'),
      timed('start="PT22S" duration="PT4S"', 0, '<S t="0" d="2" r="1"/>'),
      timed('id="d"', 0, ''),
    );
    const { periods } = read(text, 30);
    expect(periods.map(({ stretch }) => stretch.split('/')[1])).toEqual(['a', 'b', '2026-01-01T00:00:22.000Z', 'd']);
    expect(periods.map(({ representations: [one] }) => listing(one!).length)).toEqual([5, 1, 2, 0]);
    expect(flicksBetween(periods[0]!.start, periods[1]!.start)).toBe(flicks(10 * 705_600_000));
  });
  it('are left out while their start is unknown', () => {
    const text = mpd(START, first, '<Period id="early"/>');
    expect(read(text, 30).periods.map(({ where }) => where)).toEqual(['Period "a"']);
  });
  it('have another name when the encoder has restarted', () => {
    const own = timed('id="0" start="PT0S"', 0, '<S t="0" d="2"/>');
    const [one, other] = ['00', '05'].map((hour) => mpd(START.replace('T00', `T${hour}`), own));
    const stretchOf = (text: string) => read(text, 5 * 3600 + 10).periods[0]!.stretch;
    expect(stretchOf(one!)).not.toBe(stretchOf(other!));
  });
  it('may not be elsewhere', () => {
    const remote = (href: string) =>
      mpd(
        `${START} xmlns:xlink="http://www.w3.org/1999/xlink"`,
        `<Period xlink:href="${href}" xlink:actuate="onLoad"/>`,
        first,
      );
    const elsewhere = read(remote('https://ads.example/p'), 30);
    expect(elsewhere).toMatchObject({ periods: [{ where: 'Period "a"' }], warnings: [naming('line 3', 'xlink:href')] });
    expect(read(remote('urn:mpeg:dash:resolve-to-zero:2013'), 30).periods).toHaveLength(1);
  });
});

describe('events', () => {
  const scheme = 'schemeIdUri="urn:scte:scte35:2014:xml+bin"';
  const epoch = Date.parse('2026-01-01T00:00:10Z') / 1000;
  const from1970 = `presentationTimeOffset="${epoch * 90_000}"`;
  it.each([
    ['from their Period', 'timescale="90000"', 'presentationTime="450000" duration="2700000" id="7"', '', '15.000 30'],
    ['from an offset', 'timescale="1000" presentationTimeOffset="5000"', 'presentationTime="2000"', '', '07.000'],
    ['like the media', 'timescale="1"', `presentationTime="${epoch + 5}" duration="30"`, from1970, '15.000 30'],
    ['unlike the media', 'timescale="1"', 'presentationTime="5"', from1970, '15.000'],
    [
      'from an offset like the media',
      `timescale="1" presentationTimeOffset="${epoch}"`,
      `presentationTime="${epoch + 5}"`,
      from1970,
      '15.000',
    ],
    ['from 1970 while the media do not', 'timescale="1000"', `presentationTime="${epoch + 5}113"`, '', '15.113'],
  ])('may count %s', (_, stream, event, media, expected) => {
    const events = `<EventStream ${scheme} ${stream}><Event ${event}/></EventStream>`;
    const segments = video(timeline('<S t="0" d="180000"/>', `timescale="90000" ${media} media="$Number$"`));
    const result = read(mpd(START, `<Period id="a" start="PT10S">${events}${segments}</Period>`), 30.5);
    const found = result.events.map(({ start, duration }) => {
      const at = new Date(result.epoch.millis + flicksToSeconds(start) * 1000).toISOString();
      return `${at.slice(17, 23)}${duration === undefined ? '' : ` ${flicksToSeconds(duration)}`}`;
    });
    expect(found).toEqual([expected]);
  });

  it('are noted where segments contain them', () => {
    const text = mpd(
      START,
      `<Period start="PT0S"><AdaptationSet mimeType="video/mp4"><InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin" value="1001"/><InbandEventStream schemeIdUri="urn:mpeg:dash:event:2012"/>
      <Representation id="v" bandwidth="1"><SegmentTemplate duration="2" media="$Number$"/></Representation></AdaptationSet></Period>`,
    );
    expect(only(read(text, 30))).toMatchObject({
      key: 'video/v',
      inband: [{ scheme: 'urn:scte:scte35:2013:bin', line: 3 }],
    });
  });
});

describe('only the newest segments', () => {
  const listed = (entries: string, attributes?: string, more = '') =>
    period(timeline(entries, `timescale="1000" media="$Number$" ${more}`), attributes);
  const each = (from: number, count: number): string =>
    Array.from({ length: count }, (_, n) => `<S t="${from + 2000 * n}" d="2000"/>`).join('');
  it.each([
    ['an S for each', listed(each(0, 30))],
    ['repeated', listed('<S t="0" d="2000" r="12"/><S d="1000" r="5"/><S d="2000" r="9"/>')],
    ['before the Period', listed('<S t="0" d="2000" r="29"/>', undefined, 'presentationTimeOffset="7000"')],
    ['after the Period', listed('<S t="0" d="2000" r="29"/>', 'start="PT0S" duration="PT30S"')],
    ['by the clock', period('<SegmentTemplate duration="2" media="$Number$"/>')],
    [
      'several Periods',
      listed(each(0, 10)) + listed(each(0, 5), 'start="PT20S"') + listed(each(0, 15), 'start="PT30S"'),
    ],
    ['listed ahead', listed(each(0, 10)) + listed(each(0, 15), 'start="PT80S"')],
  ])('are those of the whole reading, and the number and time of the others are known: %s', (_, periods) => {
    const text = mpd(`${START} timeShiftBufferDepth="PT1M"`, periods);
    const segmentsOf = (more: Partial<LiveReading>) =>
      read(text, 60, more).periods.map((each) => each.representations[0]!.segments);
    const [all, some] = [segmentsOf({}), segmentsOf({ newest: secondsToFlicks(10) })];
    for (const [index, { segments, earlier }] of some.entries()) {
      const whole = all[index]!.segments;
      const left = whole.slice(0, whole.length - segments.length);
      expect(segments).toEqual(whole.slice(left.length));
      const [oldest] = left;
      const duration = left.reduce((sum, each) => sum + each.duration, 0);
      expect(earlier).toEqual(oldest && { count: left.length, startsAt: oldest.startsAt, duration });
    }
    expect(some.flatMap(({ segments }) => segments).length).toBeGreaterThanOrEqual(5);
    expect(some.reduce((sum, { earlier }) => sum + (earlier?.count ?? 0), 0)).toBeGreaterThan(0);
  });
});
