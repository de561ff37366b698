// SPDX-License-Identifier: Apache-2.0
// Mistakes in live MPDs: what each costs, and how it is reported.
import { describe, expect, it } from 'vitest';
import {
  listing,
  mpd,
  only,
  period,
  places,
  read,
  readOrRefuse,
  START,
  secondOf,
  timeline,
  video,
} from '../../../../test/dash/liveMpds.ts';
import { naming } from '../../../../test/naming.ts';

const counted = '<SegmentTemplate duration="2" media="$Number$"/>';
it.each([
  [mpd('', period(counted)), { attribute: 'MPD@availabilityStartTime', line: 2 }],
  [mpd('availabilityStartTime="today"', period(counted)), { refused: naming('today') }],
  [mpd(START, period('<SegmentTemplate media="$Number$"/>')), { code: 'NO_TIMING', line: 3 }],
  [mpd(START, period(counted.replace('Number', 'Nummer'))), { code: 'UNKNOWN_IDENTIFIER' }],
  [mpd(START, period('<BaseURL>v.mp4</BaseURL>')), { code: 'NO_TIMING', refused: naming('"v"') }],
  ['<HLS/>', { code: 'ROOT' }],
  ['<MPD', { code: 'XML' }],
])('names a mistake with its line: %s', (text, refusal) => {
  expect(readOrRefuse(text, 0)).toMatchObject(refusal);
});

describe('one mistake', () => {
  const named = (s: string, attributes = ''): string =>
    timeline(`\n${s}`, `timescale="1" ${attributes} media="$Number$/$Time$"`);
  const readS = (...s: string[]) => read(mpd(START, period(named(s.join('\n')))), 60);

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
    ['a distant t', ['<S t="0" d="2"/>', '<S t="99999999999" d="2"/>', '<S t="4" d="2"/>'], ['1/0', '3/4'], 5],
  ])('in an S (%s) costs it', (_what, s, names, line) => {
    const result = readS(...s);
    const urls = only(result).segments.segments.map(({ media }) => media.url.replace(/.*\/main\//, ''));
    expect(urls).toEqual(names);
    expect(result.warnings).toContainEqual(naming(`line ${line}`));
  });

  it('in S@r is an unsigned −1', () => {
    expect(listing(only(readS('<S t="0" d="20" r="4294967295"/>')))).toHaveLength(3);
  });

  it('is none if a timeline starts again: what is newer is listed', () => {
    const result = readS('<S t="50" d="2" r="3"/>', '<S t="0" d="2"/>', '<S d="2" r="1"/>');
    expect(places(result)).toEqual(['5/0', '6/2', '7/4']);
  });

  it('in a SegmentURL costs one segment', () => {
    const list =
      '<SegmentList timescale="1" duration="2"><SegmentURL media="a"/><SegmentURL mediaRange="5-1"/><SegmentURL media="c"/></SegmentList>';
    const result = read(mpd(START, period(list, '')), 60);
    expect(places(result)).toEqual(['1/0', '3/4']);
    expect(result.warnings).toEqual([naming('line 3', 'SegmentURL@mediaRange')]);
  });

  const good = named('<S t="0" d="2"/>');
  it.each([
    ['timescale', good.replace('timescale="1"', 'timescale="0"')],
    ['presentationTimeOffset', named('<S t="0" d="2"/>', 'presentationTimeOffset="x"')],
    ['startNumber', named('<S t="0" d="2"/>', 'startNumber="x"').replace('/$Time$', '')],
    ['media', good.replace('$Time$', '$Tme$')],
    ['duration', '<SegmentTemplate duration="-2" media="$Number$"/>'],
    ['bandwidth', good.replace('$Time$', '$Bandwidth$'), 'bandwidth="900000"'],
    ['SegmentTemplate', ''],
    ['S@d', named('<S t="0" d="x"/>')],
    ['BaseURL', `<BaseURL>http://[</BaseURL>${good}`],
  ])('in what addresses a Representation (%s) costs it', (_name, segments, without = '') => {
    const other = `<Representation id="w" bandwidth="9" codecs="avc1.64001f">${good}</Representation></AdaptationSet>`;
    const set = video(segments).replace(without, '').replace('</AdaptationSet>', other);
    const result = read(mpd(START, `<Period start="PT0S">${set}</Period>`), 60);
    expect(result.periods[0]!.representations.map(({ id }) => id)).toEqual(['w']);
    expect(result.periods[0]).not.toHaveProperty('lost');
    expect(result.warnings).toContainEqual(naming('"v"', 'left out'));
    const alone = `<Period start="PT0S">${video(segments).replace(without, '')}${video(good).replaceAll('"v"', '"x"').replaceAll('video', 'audio').replace('avc1.64001f', 'mp4a.40.2')}</Period>`;
    expect(read(mpd(START, alone), 60).periods[0]).toMatchObject({ lost: naming('line') });
  });

  it.each([
    ['startNumber="x"', period(named('<S t="0" d="2"/>', 'startNumber="x"').replace('$Number$/', ''))],
    ['endNumber="x"', period(named('<S t="0" d="2"/>', 'endNumber="x"'))],
    ['start="PT-5S"', period(good, 'start="PT-5S"')],
    ['duration="-PT5S"', period(good, 'start="PT0S" duration="-PT5S"')],
    ['timeShiftBufferDepth="soon"', period(good)],
    ['no Representation', `<Period start="PT0S"><AdaptationSet/>${video(good)}</Period>`],
    ['bandwidth="x"', period(good).replace('900000', 'x')],
    [
      'a broken event',
      `<Period start="PT0S"><EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="x"><Event presentationTime="y"/></EventStream>${video(good)}</Period>`,
    ],
  ])('elsewhere costs no segment: %s', (what, text) => {
    const root = what.startsWith('timeShift') ? `${START} ${what}` : START;
    const result = read(mpd(root, text), 60);
    expect(listing(only(result)).map(([, time]) => time)).toEqual([0]);
    expect(result.warnings.length + result.events.length).toBe(what.startsWith('no') ? 0 : 1 + result.events.length);
  });

  it('in availabilityStartTime is that of the reading before', () => {
    const availabilityStart = secondOf(0);
    const result = read(mpd('availabilityStartTime="today"', period(good)), 60, { availabilityStart });
    expect(result).toMatchObject({ availabilityStart, warnings: [naming('line 2', 'today')] });
  });
});
