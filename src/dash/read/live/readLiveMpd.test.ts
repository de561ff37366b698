// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { flicks, flicksToSeconds, millis, secondsToFlicks } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { LiveMpd, LiveRepresentation, LiveSegments } from './liveMpd.ts';
import { flicksBetween } from './liveTimes.ts';
import { readLiveMpd } from './readLiveMpd.ts';

const source = 'https://o.example/live/main/manifest.mpd?token=a';
const at = (text: string): Instant => ({ millis: millis(Date.parse(text)), rest: flicks(0) });
const mpd = (attributes: string, ...content: string[]): string =>
  `<?xml version="1.0"?>\n<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" ${attributes}>\n${content.join('\n')}\n</MPD>`;
const video = (segments: string, more = ''): string =>
  `<AdaptationSet id="1" mimeType="video/mp4" ${more}><Representation id="v" bandwidth="900000" codecs="avc1.64001f">${segments}</Representation></AdaptationSet>`;

function read(text: string, now: string, since?: string): LiveMpd {
  const result = readLiveMpd(text, source, { now: at(now), ...(since && { since: at(since) }) });
  if ('refused' in result) throw new Error(result.refused);
  return result;
}
const refusal = (text: string, now = '2026-01-01T00:00:00Z') => {
  const result = readLiveMpd(text, source, { now: at(now) });
  if (!('refused' in result)) throw new Error('no error');
  return result;
};
const only = (result: LiveMpd): LiveRepresentation => result.periods[0]!.representations[0]!;
const listing = ({ segments: { segments } }: LiveRepresentation) =>
  segments.map(({ number, time, startsAt, duration, media }) => [
    number,
    Number(time),
    new Date(startsAt.millis).toISOString().slice(11, 23),
    flicksToSeconds(duration),
    media.url.replace('https://o.example/live/', ''),
  ]);

describe('a SegmentTimeline', () => {
  it('is read as ffmpeg writes it', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00.000Z" publishTime="2026-01-01T00:01:00.000Z" minimumUpdatePeriod="PT2S" timeShiftBufferDepth="PT6.0S" profiles="urn:mpeg:dash:profile:isoff-live:2011"',
      `<Period id="0" start="PT0.0S"><AdaptationSet id="0" contentType="video" startWithSAP="1" segmentAlignment="true" frameRate="25/1">
        <Representation id="0" mimeType="video/mp4" codecs="avc1.64001f" bandwidth="800000" width="640" height="360">
        <SegmentTemplate timescale="12800" initialization="init-$RepresentationID$.m4s" media="chunk-$RepresentationID$-$Number%05d$.m4s" startNumber="29">
        <SegmentTimeline><S t="716800" d="25600" r="2" /></SegmentTimeline></SegmentTemplate></Representation></AdaptationSet></Period>`,
    );
    const result = read(text, '2026-01-01T00:01:02Z');
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
    const zero = BigInt(Date.parse('2026-01-01T00:00:00Z')) * 10_000n;
    const [offset, first] = [zero + 1n, zero + 40_000_001n];
    const text = mpd(
      'availabilityStartTime="1970-01-01T00:00:00Z"',
      `<Period id="p" start="PT${Date.parse('2026-01-01T00:00:00Z') / 1000}S">${video(
        `<SegmentTemplate timescale="10000000" presentationTimeOffset="${offset}" media="QualityLevels($Bandwidth$)/Fragments(video=$Time$)"><SegmentTimeline><S t="${first}" d="20000000" r="1"/></SegmentTimeline></SegmentTemplate>`,
      )}</Period>`,
    );
    const { segments } = only(read(text, '2026-01-01T00:01:02Z'));
    expect(segments.segments.map(({ time }) => time)).toEqual([first, first + 20_000_000n]);
    expect(segments.segments[1]!.media.url).toContain(`(900000)/Fragments(video=${first + 20_000_000n})`);
    expect(segments.segments[0]!.startsAt).toEqual(at('2026-01-01T00:00:04Z'));
    expect(segments.addressing).toBe('time');
  });

  it('counts media and Period from 1970 with an availabilityStartTime of 1970', () => {
    const seconds = Date.parse('2026-01-01T00:00:00Z') / 1000;
    const text = mpd(
      'availabilityStartTime="1970-01-01T00:00:00Z" timeShiftBufferDepth="PT1M"',
      `<Period id="P0" start="PT0S">${video(
        `<SegmentTemplate timescale="90000" media="V300/t$Time$.m4s"><SegmentTimeline><S t="${seconds * 90_000}" d="180000"/></SegmentTimeline></SegmentTemplate>`,
      )}</Period>`,
    );
    expect(listing(only(read(text, '2026-01-01T00:00:10Z')))).toEqual([
      [1, seconds * 90_000, '00:00:00.000', 2, `main/V300/t${seconds * 90_000}.m4s`],
    ]);
  });

  it('repeats an open S up to the clock, and no further than the next S and the Period', () => {
    const open = (entries: string, period = 'start="PT0S"') =>
      listing(
        only(
          read(
            mpd(
              'availabilityStartTime="2026-01-01T00:00:00Z"',
              `<Period ${period}>${video(`<SegmentTemplate timescale="10" media="$Time$.m4s"><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`)}</Period>`,
            ),
            '2026-01-01T00:00:07.9Z',
          ),
        ),
      ).map(([, time]) => time);
    expect(open('<S t="0" d="20" r="-1"/>')).toEqual([0, 20, 40]);
    expect(open('<S t="0" d="20" r="-1"/>', 'start="PT0S" duration="PT5.5S"')).toEqual([0, 20, 40]);
    expect(open('<S t="0" d="20" r="-1"/>', 'start="PT0S" duration="PT4S"')).toEqual([0, 20]);
    expect(open('<S t="0" d="20" r="-1"/><S t="40" d="10"/>')).toEqual([0, 20, 40]);
  });

  it('keeps the duration of a segment before a gap, with a warning', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period start="PT0S">${video('<SegmentTemplate timescale="1" media="$Number$.m4s"><SegmentTimeline><S t="0" d="2" k="2"/><S t="6" d="2" n="9"/></SegmentTimeline></SegmentTemplate>')}</Period>`,
    );
    const result = read(text, '2026-01-01T00:00:20Z');
    expect(listing(only(result)).map(([number, time, , duration]) => [number, time, duration])).toEqual([
      [1, 0, 2],
      [9, 6, 2],
    ]);
    expect(result.warnings).toEqual([naming('line 3', '4.000')]);
  });

  it('may be empty', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period start="PT0S">${video('<SegmentTemplate media="$Number$.m4s"><SegmentTimeline></SegmentTimeline></SegmentTemplate>')}</Period>`,
    );
    expect(listing(only(read(text, '2026-01-01T00:00:20Z')))).toEqual([]);
  });

  it('leaves out what is still written', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period start="PT0S">${video('<SegmentTemplate timescale="1" availabilityTimeOffset="1.5" availabilityTimeComplete="false" media="$Number$.m4s"><SegmentTimeline><S t="0" d="2" r="4"/></SegmentTimeline></SegmentTemplate>')}</Period>`,
    );
    const result = read(text, '2026-01-01T00:00:07Z');
    expect(listing(only(result)).map(([number]) => number)).toEqual([1, 2, 3]);
    expect(result.warnings).toEqual([naming('line 3', 'availabilityTimeComplete="false"', 'whole segments')]);
  });

  it('lists only what ends later than an instant', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period start="PT0S">${video('<SegmentTemplate timescale="1" media="$Number$.m4s"><SegmentTimeline><S t="0" d="2" r="9"/></SegmentTimeline></SegmentTemplate>')}</Period>`,
    );
    expect(listing(only(read(text, '2026-01-01T00:00:20Z', '2026-01-01T00:00:15Z'))).map(([number]) => number)).toEqual(
      [8, 9, 10],
    );
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
  const template =
    '<SegmentTemplate media="$Number$.m4s" initialization="i.mp4"><SegmentTimeline><S t="0" d="2"/></SegmentTimeline></SegmentTemplate>';
  const text = mpd(
    'availabilityStartTime="2026-01-01T00:00:00Z"',
    `${base(root)}<Period start="PT0S">${base(period)}<AdaptationSet mimeType="video/mp4">${base(set)}<Representation id="v" bandwidth="9" codecs="avc1.64001f">${base(representation)}${template}</Representation></AdaptationSet></Period>`,
  );
  const { segments } = only(read(text, '2026-01-01T00:00:20Z'));
  expect([segments.init?.url, segments.segments[0]!.media.url]).toEqual([`${expected}i.mp4`, `${expected}1.m4s`]);
});

describe('SegmentTemplate@duration', () => {
  const text = mpd(
    'availabilityStartTime="2026-01-01T00:00:00Z" timeShiftBufferDepth="PT8S" minimumUpdatePeriod="PT500S"',
    `<BaseURL>https://cdn.example/a/</BaseURL><BaseURL>https://cdn2.example/a/</BaseURL><Location>https://edge.example/s/x.mpd</Location>
    <UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="https://time.example/?iso"/>
    <Period id="p0" start="PT10S">${video('<SegmentTemplate timescale="90000" duration="180000" startNumber="5" presentationTimeOffset="900000" media="$RepresentationID$/$Number$.m4s" initialization="$RepresentationID$/init.mp4"/>')}</Period>`,
  );
  it('makes complete segments available by the clock', () => {
    expect(listing(only(read(text, '2026-01-01T00:00:11.9Z')))).toEqual([]);
    expect(listing(only(read(text, '2026-01-01T00:00:12Z')))).toEqual([
      [5, 900_000, '00:00:10.000', 2, 'https://cdn.example/a/v/5.m4s'],
    ]);
    expect(listing(only(read(text, '2026-01-01T00:00:31Z'))).map(([number]) => number)).toEqual([11, 12, 13, 14]);
  });
  it('comes with what the next request needs', () => {
    expect(read(text, '2026-01-01T00:00:31Z')).toMatchObject({
      location: 'https://edge.example/s/x.mpd',
      timing: [{ scheme: 'urn:mpeg:dash:utc:http-iso:2014', value: 'https://time.example/?iso' }],
    });
  });
  it('ends with its Period, whose last segment is shorter', () => {
    const ended = text.replace('start="PT10S"', 'start="PT10S" duration="PT7S"');
    expect(
      listing(only(read(ended, '2026-01-01T00:00:17Z'))).map(([number, , , duration]) => [number, duration]),
    ).toEqual([
      [5, 2],
      [6, 2],
      [7, 2],
      [8, 1],
    ]);
    expect(listing(only(read(ended, '2026-01-01T00:00:16.9Z'))).map(([number]) => number)).toEqual([5, 6, 7]);
    expect(listing(only(read(ended, '2026-01-01T00:00:40Z')))).toEqual([]);
  });
  it('is listed to the end when the MPD became static', () => {
    const ended = text
      .replace('type="dynamic"', 'type="static" mediaPresentationDuration="PT16S"')
      .replace('availabilityStartTime="2026-01-01T00:00:00Z"', '');
    const result = readLiveMpd(ended, source, {
      now: at('2026-01-01T00:00:40Z'),
      availabilityStart: at('2026-01-01T00:00:00Z'),
    });
    if ('refused' in result) throw new Error(result.refused);
    expect(result.isEnded).toBe(true);
    expect(listing(only(result)).map(([number]) => number)).toEqual([5, 6, 7]);
    expect(result.periods[0]!.stretch).toBe(read(text, '2026-01-01T00:00:31Z').periods[0]!.stretch);
  });
});

it('reads a SegmentList that moves', () => {
  const text = mpd(
    'availabilityStartTime="2026-01-01T00:00:00Z"',
    `<Period start="PT0S">${video('<SegmentList timescale="1" duration="2" startNumber="7"><Initialization sourceURL="i.mp4"/><SegmentURL media="g.m4s"/><SegmentURL media="h.m4s"/></SegmentList>')}</Period>`,
  );
  expect(listing(only(read(text, '2026-01-01T00:00:20Z')))).toEqual([
    [7, 12, '00:00:12.000', 2, 'main/g.m4s'],
    [8, 14, '00:00:14.000', 2, 'main/h.m4s'],
  ]);
});

describe('Periods', () => {
  const period = (attributes: string, offset: number, entries: string): string =>
    `<Period ${attributes}>${video(`<SegmentTemplate timescale="1" presentationTimeOffset="${offset}" media="$Time$.m4s"><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`)}</Period>`;
  it('continue each other, and end where the next one starts', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      period('id="a" start="PT10S"', 100, '<S t="100" d="2" r="5"/>'),
      period('id="b" start="PT20.000S"', 0, '<S t="0" d="2"/>'),
      period('start="PT22S" duration="PT4S"', 0, '<S t="0" d="2" r="1"/>'),
      period('id="d"', 0, ''),
    );
    const { periods } = read(text, '2026-01-01T00:00:30Z');
    expect(periods.map(({ stretch }) => stretch.split('/')[1])).toEqual(['a', 'b', '2026-01-01T00:00:22.000Z', 'd']);
    expect(periods.map(({ representations: [one] }) => listing(one!).length)).toEqual([5, 1, 2, 0]);
    expect(flicksBetween(periods[0]!.start, periods[1]!.start)).toBe(flicks(10 * 705_600_000));
  });
  it('are left out while their start is unknown', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      period('id="a" start="PT10S"', 0, '<S t="0" d="2"/>'),
      '<Period id="early"/>',
    );
    expect(read(text, '2026-01-01T00:00:30Z').periods.map(({ where }) => where)).toEqual(['Period "a"']);
  });
  it('have another name when the encoder has restarted', () => {
    const text = (start: string) =>
      mpd(`availabilityStartTime="${start}"`, period('id="0" start="PT0S"', 0, '<S t="0" d="2"/>'));
    const [one, other] = ['2026-01-01T00:00:00Z', '2026-01-01T05:00:00Z'].map(
      (start) => read(text(start), '2026-01-01T05:00:10Z').periods[0]!.stretch,
    );
    expect(one).not.toBe(other);
  });
  it('may not be elsewhere', () => {
    const remote = (href: string) =>
      mpd(
        'availabilityStartTime="2026-01-01T00:00:00Z" xmlns:xlink="http://www.w3.org/1999/xlink"',
        `<Period xlink:href="${href}" xlink:actuate="onLoad"/>`,
        period('id="a" start="PT10S"', 0, '<S t="0" d="2"/>'),
      );
    const elsewhere = read(remote('https://ads.example/p'), '2026-01-01T00:00:30Z');
    expect(elsewhere).toMatchObject({ periods: [{ where: 'Period "a"' }], warnings: [naming('line 3', 'xlink:href')] });
    expect(read(remote('urn:mpeg:dash:resolve-to-zero:2013'), '2026-01-01T00:00:30Z').periods).toHaveLength(1);
  });
});

describe('a mistake', () => {
  const one = (segments: string, attributes = 'availabilityStartTime="2026-01-01T00:00:00Z"') =>
    refusal(mpd(attributes, `<Period start="PT0S">${video(segments)}</Period>`));
  it('is named with its line', () => {
    expect(one('<SegmentTemplate duration="2" media="$Number$"/>', '')).toMatchObject({
      attribute: 'MPD@availabilityStartTime',
      line: 2,
    });
    expect(one('<SegmentTemplate duration="2" media="$Number$"/>', 'availabilityStartTime="today"')).toMatchObject({
      refused: naming('today'),
    });
    expect(one('<SegmentTemplate media="$Number$"/>')).toMatchObject({ code: 'NO_TIMING', line: 3 });
    expect(one('<SegmentTemplate duration="2" media="$Nummer$"/>')).toMatchObject({ code: 'UNKNOWN_IDENTIFIER' });
    expect(one('<BaseURL>v.mp4</BaseURL>')).toMatchObject({ code: 'NO_TIMING', refused: naming('"v"') });
    expect(refusal('<HLS/>')).toMatchObject({ code: 'ROOT' });
    expect(refusal('<MPD')).toMatchObject({ code: 'XML' });
  });
});

describe('one mistake', () => {
  const START = 'availabilityStartTime="2026-01-01T00:00:00Z"';
  const timeline = (s: string, attributes = ''): string =>
    `<SegmentTemplate timescale="1" ${attributes} media="$Number$/$Time$"><SegmentTimeline>\n${s}</SegmentTimeline></SegmentTemplate>`;
  const readS = (...s: string[]) =>
    read(mpd(START, `<Period start="PT0S">${video(timeline(s.join('\n')))}</Period>`), '2026-01-01T00:01:00Z');

  // Segments of two seconds; each S has a line, of which the first is 4.
  it.each([
    ['d="0"', ['<S t="0" d="2" r="2"/>', '<S t="6" d="0"/>', '<S t="6" d="4"/>'], ['1/0', '2/2', '3/4', '5/6'], 5],
    ['no d', ['<S t="0" d="2"/>', '<S t="2"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    ['no d, and no t behind', ['<S t="0" d="2"/>', '<S d="x"/>', '<S d="2"/>'], ['1/0', '3/4'], 5],
    ['a negative t', ['<S t="0" d="2"/>', '<S t="-2" d="2"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    ['a t that goes back', ['<S t="10" d="2"/>', '<S t="3" d="2"/>', '<S t="14" d="2"/>'], ['1/10', '3/14'], 5],
    ['a t that is ahead', ['<S t="0" d="2"/>', '<S t="90" d="2"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    ['a t twice', ['<S t="0" d="2"/>', '<S t="0" d="2"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    ['an n that is none', ['<S t="0" d="2"/>', '<S t="2" d="2" n="x"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    ['an r that is none', ['<S t="0" d="2" r="x"/>', '<S t="4" d="2"/>'], ['1/0', '2/2', '3/4'], 4],
    ['an r that is none, at the end', ['<S t="0" d="2"/>', '<S t="2" d="2" r="1.5"/>'], ['1/0', '2/2'], 5],
    ['a d of weeks', ['<S t="0" d="2"/>', '<S t="2" d="9000000"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
    [
      'a t of another century',
      ['<S t="0" d="2"/>', '<S t="99999999999" d="2"/>', '<S t="4" d="2"/>'],
      ['1/0', '3/4'],
      5,
    ],
  ])('in an S (%s) costs it', (_what, s, names, line) => {
    const result = readS(...s);
    expect(only(result).segments.segments.map(({ media: { url } }) => url.split('/').slice(-2).join('/'))).toEqual(
      names,
    );
    expect(result.warnings).toContainEqual(naming(`line ${line}`));
  });

  it('in S@r is an unsigned −1', () => {
    expect(listing(only(readS('<S t="0" d="20" r="4294967295"/>')))).toHaveLength(3);
  });

  it('is none if a timeline starts again: what is newer is listed', () => {
    const result = readS('<S t="50" d="2" r="3"/>', '<S t="0" d="2"/>', '<S d="2" r="1"/>');
    expect(listing(only(result)).map(([number, time]) => [number, time])).toEqual([
      [5, 0],
      [6, 2],
      [7, 4],
    ]);
  });

  it('in a SegmentURL costs one segment', () => {
    const list = (second: string) =>
      `<SegmentList timescale="1" duration="2"><SegmentURL media="a"/><SegmentURL ${second}/><SegmentURL media="c"/></SegmentList>`;
    const result = read(mpd(START, `<Period>${video(list('mediaRange="5-1"'))}</Period>`), '2026-01-01T00:01:00Z');
    expect(listing(only(result)).map(([number, time]) => [number, time])).toEqual([
      [1, 0],
      [3, 4],
    ]);
    expect(result.warnings).toEqual([naming('line 3', 'SegmentURL@mediaRange')]);
  });

  const good = timeline('<S t="0" d="2"/>');
  it.each([
    ['timescale', good.replace('timescale="1"', 'timescale="0"')],
    ['presentationTimeOffset', timeline('<S t="0" d="2"/>', 'presentationTimeOffset="x"')],
    ['startNumber', timeline('<S t="0" d="2"/>', 'startNumber="x"').replace('/$Time$', '')],
    ['media', good.replace('$Time$', '$Tme$')],
    ['duration', '<SegmentTemplate duration="-2" media="$Number$"/>'],
    ['bandwidth', good.replace('$Time$', '$Bandwidth$'), 'bandwidth="900000"'],
    ['SegmentTemplate', ''],
    ['S@d', timeline('<S t="0" d="x"/>')],
    ['BaseURL', `<BaseURL>http://[</BaseURL>${good}`],
  ])('in what addresses a Representation (%s) costs it', (_name, segments, without = '') => {
    const other = `<Representation id="w" bandwidth="9" codecs="avc1.64001f">${good}</Representation></AdaptationSet>`;
    const set = video(segments).replace(without, '').replace('</AdaptationSet>', other);
    const result = read(mpd(START, `<Period start="PT0S">${set}</Period>`), '2026-01-01T00:01:00Z');
    expect(result.periods[0]!.representations.map(({ id }) => id)).toEqual(['w']);
    expect(result.periods[0]).not.toHaveProperty('lost');
    expect(result.warnings).toContainEqual(naming('"v"', 'left out'));
    const alone = `<Period start="PT0S">${video(segments).replace(without, '')}${video(good).replaceAll('"v"', '"x"').replaceAll('video', 'audio').replace('avc1.64001f', 'mp4a.40.2')}</Period>`;
    expect(read(mpd(START, alone), '2026-01-01T00:01:00Z').periods[0]).toMatchObject({ lost: naming('line') });
  });

  it.each([
    [
      'startNumber="x"',
      `<Period start="PT0S">${video(timeline('<S t="0" d="2"/>', 'startNumber="x"').replace('$Number$/', ''))}</Period>`,
    ],
    ['endNumber="x"', `<Period start="PT0S">${video(timeline('<S t="0" d="2"/>', 'endNumber="x"'))}</Period>`],
    ['start="PT-5S"', `<Period start="PT-5S">${video(good)}</Period>`],
    ['duration="-PT5S"', `<Period start="PT0S" duration="-PT5S">${video(good)}</Period>`],
    ['timeShiftBufferDepth="soon"', `<Period start="PT0S">${video(good)}</Period>`],
    ['no Representation', `<Period start="PT0S"><AdaptationSet/>${video(good)}</Period>`],
    ['bandwidth="x"', `<Period start="PT0S">${video(good).replace('900000', 'x')}</Period>`],
    [
      'a broken event',
      `<Period start="PT0S"><EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="x"><Event presentationTime="y"/></EventStream>${video(good)}</Period>`,
    ],
  ])('elsewhere costs no segment: %s', (what, text) => {
    const root = what.startsWith('timeShift') ? `${START} ${what}` : START;
    const result = read(mpd(root, text), '2026-01-01T00:01:00Z');
    expect(listing(only(result)).map(([, time]) => time)).toEqual([0]);
    expect(result.warnings.length + result.events.length).toBe(what.startsWith('no') ? 0 : 1 + result.events.length);
  });

  it('in availabilityStartTime is that of the reading before', () => {
    const text = mpd('availabilityStartTime="today"', `<Period start="PT0S">${video(good)}</Period>`);
    const availabilityStart = at('2026-01-01T00:00:00Z');
    const result = readLiveMpd(text, source, { now: at('2026-01-01T00:01:00Z'), availabilityStart });
    expect(result).toMatchObject({ availabilityStart, warnings: [naming('line 2', 'today')] });
  });
});

describe('events', () => {
  const events = (
    stream: string,
    media = '',
    period = 'id="a" start="PT10S"',
  ): { at: string; seconds: number | undefined }[] => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period ${period}>${stream}${video(`<SegmentTemplate timescale="90000" ${media} media="$Number$"><SegmentTimeline><S t="0" d="180000"/></SegmentTimeline></SegmentTemplate>`)}</Period>`,
    );
    const result = read(text, '2026-01-01T00:00:30.500Z');
    return result.events.map(({ start, duration }) => ({
      at: new Date(result.epoch.millis + flicksToSeconds(start) * 1000).toISOString().slice(11, 23),
      seconds: duration && flicksToSeconds(duration),
    }));
  };
  const stream = (attributes: string, ...list: string[]) =>
    `<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" ${attributes}>${list.join('')}</EventStream>`;
  it('are relative to their Period', () => {
    expect(events(stream('timescale="90000"', '<Event presentationTime="450000" duration="2700000" id="7"/>'))).toEqual(
      [{ at: '00:00:15.000', seconds: 30 }],
    );
    expect(
      events(stream('timescale="1000" presentationTimeOffset="5000"', '<Event presentationTime="2000"/>')),
    ).toEqual([{ at: '00:00:07.000', seconds: undefined }]);
  });
  it('may count from 1970 like the media', () => {
    const epoch = Date.parse('2026-01-01T00:00:10Z') / 1000;
    const media = `presentationTimeOffset="${epoch * 90_000}"`;
    expect(events(stream('timescale="1"', `<Event presentationTime="${epoch + 5}" duration="30"/>`), media)).toEqual([
      { at: '00:00:15.000', seconds: 30 },
    ]);
    expect(events(stream('timescale="1"', '<Event presentationTime="5"/>'), media)).toEqual([
      { at: '00:00:15.000', seconds: undefined },
    ]);
    expect(
      events(
        stream(`timescale="1" presentationTimeOffset="${epoch}"`, `<Event presentationTime="${epoch + 5}"/>`),
        media,
      ),
    ).toEqual([{ at: '00:00:15.000', seconds: undefined }]);
  });
  it('may count from 1970 while the media do not', () => {
    const epoch = Date.parse('2026-01-01T00:00:10Z') / 1000;
    expect(events(stream('timescale="1000"', `<Event presentationTime="${epoch + 5}113"/>`))).toEqual([
      { at: '00:00:15.113', seconds: undefined },
    ]);
  });

  it('are noted where segments contain them', () => {
    const text = mpd(
      'availabilityStartTime="2026-01-01T00:00:00Z"',
      `<Period start="PT0S"><AdaptationSet mimeType="video/mp4"><InbandEventStream schemeIdUri="urn:scte:scte35:2013:bin" value="1001"/><InbandEventStream schemeIdUri="urn:mpeg:dash:event:2012"/>
      <Representation id="v" bandwidth="1"><SegmentTemplate duration="2" media="$Number$"/></Representation></AdaptationSet></Period>`,
    );
    expect(only(read(text, '2026-01-01T00:00:30Z'))).toMatchObject({
      key: 'video/v',
      inband: [{ scheme: 'urn:scte:scte35:2013:bin', line: 3 }],
    });
  });
});

describe('only the newest segments', () => {
  const start = 'availabilityStartTime="2026-01-01T00:00:00Z" timeShiftBufferDepth="PT1M"';
  const timeline = (entries: string, more = ''): string =>
    `<SegmentTemplate timescale="1000" media="$Number$" ${more}><SegmentTimeline>${entries}</SegmentTimeline></SegmentTemplate>`;
  const each = (from: number, count: number): string =>
    Array.from({ length: count }, (_, n) => `<S t="${from + 2000 * n}" d="2000"/>`).join('');
  it.each([
    ['an S for each', `<Period start="PT0S">${video(timeline(each(0, 30)))}</Period>`],
    [
      'repeated',
      `<Period start="PT0S">${video(timeline('<S t="0" d="2000" r="12"/><S d="1000" r="5"/><S d="2000" r="9"/>'))}</Period>`,
    ],
    [
      'before the Period',
      `<Period start="PT0S">${video(timeline('<S t="0" d="2000" r="29"/>', 'presentationTimeOffset="7000"'))}</Period>`,
    ],
    [
      'after the Period',
      `<Period start="PT0S" duration="PT30S">${video(timeline('<S t="0" d="2000" r="29"/>'))}</Period>`,
    ],
    ['by the clock', `<Period start="PT0S">${video('<SegmentTemplate duration="2" media="$Number$"/>')}</Period>`],
    [
      'several Periods',
      `<Period start="PT0S">${video(timeline(each(0, 10)))}</Period><Period start="PT20S">${video(timeline(each(0, 5)))}</Period><Period start="PT30S">${video(timeline(each(0, 15)))}</Period>`,
    ],
    [
      'listed ahead',
      `<Period start="PT0S">${video(timeline(each(0, 10)))}</Period><Period start="PT80S">${video(timeline(each(0, 15)))}</Period>`,
    ],
  ])('are those of the whole reading, and the number and time of the others are known: %s', (_, periods) => {
    const reading = { now: at('2026-01-01T00:01:00Z') };
    const [all, some] = [reading, { ...reading, newest: secondsToFlicks(10) }].map((options) => {
      const result = readLiveMpd(mpd(start, periods), source, options);
      if ('refused' in result) throw new Error(result.refused);
      return result.periods.map((period) => period.representations[0]!.segments);
    }) as [LiveSegments[], LiveSegments[]];
    for (const [index, { segments, earlier }] of some.entries()) {
      const whole = all[index]!.segments;
      const left = whole.slice(0, whole.length - segments.length);
      expect(segments).toEqual(whole.slice(left.length));
      expect(earlier).toEqual(
        left.length === 0
          ? undefined
          : {
              count: left.length,
              startsAt: left[0]!.startsAt,
              duration: left.reduce((sum, { duration }) => sum + duration, 0),
            },
      );
    }
    const listed = some.flatMap(({ segments }) => segments);
    expect(listed.length).toBeGreaterThanOrEqual(5);
    expect(some.reduce((sum, { earlier }) => sum + (earlier?.count ?? 0), 0)).toBeGreaterThan(0);
  });
});
