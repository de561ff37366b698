// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { flicks, millis } from '../../../time/units.ts';
import type { LiveMpd } from './liveMpd.ts';
import { readLiveMpd } from './readLiveMpd.ts';

const ZERO = Date.parse('2026-01-01T00:00:00Z');

type Listed = { from: number; count: number; pto?: number; number?: number; names?: string };
const S = ({ from, count }: Listed): string =>
  `<SegmentTimeline><S t="${from * 1000}" d="2000" r="${count - 1}"/></SegmentTimeline>`;
const period = (attributes: string, segments: string, template = ''): string =>
  `<Period ${attributes}><AdaptationSet mimeType="video/mp4"><SegmentTemplate timescale="1000" media="s$Number$.m4s" ${template}>${segments}</SegmentTemplate><Representation id="v" codecs="avc1.64001f"/></AdaptationSet></Period>`;
const listed = (attributes: string, { pto, number, ...of }: Listed): string =>
  period(
    attributes,
    S(of),
    `${pto === undefined ? '' : `presentationTimeOffset="${pto * 1000}"`} startNumber="${number ?? 1}"`,
  );
const clocked = (attributes: string, template: string): string => period(attributes, '', `duration="2000" ${template}`);

function read(
  now: number,
  periods: readonly string[],
  options: { type?: string; known?: LiveMpd['periods'] } = {},
): LiveMpd {
  const { type = 'type="dynamic"', known } = options;
  const text = `<MPD ${type} availabilityStartTime="2026-01-01T00:00:00Z">${periods.join('\n')}</MPD>`;
  const at = { millis: millis(ZERO + now * 1000), rest: flicks(0) };
  const result = readLiveMpd(text, 'https://o.example/m.mpd', { now: at, known });
  if ('refused' in result) throw new Error(result.refused);
  return result;
}
/** Of each Period: the first and the last second that it lists, from availabilityStartTime. */
const places = ({ periods }: LiveMpd) =>
  periods.map(({ representations: [one] }) => {
    const { segments } = one!.segments;
    return [segments[0], segments.at(-1)].map((each) => each && (each.startsAt.millis - ZERO) / 1000);
  });

const first = listed('id="a" start="PT0S"', { from: 0, count: 4 });
const numbered = clocked('id="a" start="PT0S"', 'startNumber="1"');
const old = listed('id="a" start="PT0S"', { from: 500, count: 4, pto: 500 });

const b = (of: Listed) => listed('id="b"', of);
const clockedB = (template: string) => clocked('id="b"', template);
test.each([
  ['media times that continue', 20, first, b({ from: 8, count: 5 }), [8, 16], 'media times'],
  ['media times that continue after a pause', 70, first, b({ from: 60, count: 4 }), [60, 66], 'media times'],
  ['an offset on the same media time', 20, old, b({ from: 508, count: 5, pto: 508 }), [8, 16], 'media times'],
  ['media times that start again', 20, first, b({ from: 0, count: 3 }), [8, 12], 'end of the Period'],
  ['media times of another clock', 20, first, b({ from: 9e6, count: 3, pto: 9e6 }), [8, 12], 'end of the Period'],
  ['numbers that continue', 12, first, b({ from: 0, count: 1, number: 6 }), [10, 10], 'segment numbers'],
  ['numbers of equal segments', 12, numbered, clockedB('startNumber="5"'), [8, 10], 'segment numbers'],
  ['an offset of equal segments', 12, numbered, clockedB('presentationTimeOffset="8000"'), [8, 10], 'media times'],
])('a Period without @start is placed by %s', (_, now, before, own, place, by) => {
  const result = read(now, [before, own]);
  expect(places(result)[1]).toEqual(place);
  expect(result.periods[0]!.end!.millis).toBe(ZERO + place[0]! * 1000);
  expect(result.warnings).toContainEqual(naming('line 2', 'Period "b"', '@start', by));
});

test.each([
  ['without segments', clocked('id="b"', ''), 20],
  ['whose media are listed before they are available', listed('id="b"', { from: 0, count: 15 }), 20],
  ['that may follow a Period that is on air', listed('id="b"', { from: 0, count: 1 }), 11],
])('a Period %s is left out until its start is known; others stay', (_, own, now) => {
  const result = read(now, [first, own, listed('id="c" start="PT8S"', { from: 8, count: 1, pto: 8 })]);
  expect(result.periods.map(({ where }) => where)).toEqual(['Period "a"', 'Period "c"']);
  expect(result.warnings).toEqual([naming('line 2', 'Period "b"', 'left out')]);
});

test('a Period is placed by its media where another set is a remote element', () => {
  const remote =
    '<AdaptationSet xlink:href="https://o.example/set.xml" mimeType="video/mp4"><Representation/></AdaptationSet>';
  const own = listed('id="b"', { from: 8, count: 5 }).replace('<AdaptationSet', `${remote}<AdaptationSet`);
  const result = read(20, [first, own]);
  expect(places(result)[1]).toEqual([8, 16]);
  expect(result.warnings).toContainEqual(naming('xlink:href', 'left out'));
});

test('what several Representations inherit is warned of once', () => {
  const twice = first.replace('<Representation', '<Representation id="w" codecs="avc1.64001f"/><Representation');
  const result = read(20, [twice.replace('<S ', '<S t="0"/><S ')]);
  expect(result.warnings).toEqual([naming('S@d', 'the segment is left out')]);
});

test('a Period keeps its place when those before it are gone', () => {
  const own = (count: number) => listed('id="b"', { from: 0, count });
  const before = read(20, [first, own(3)]);
  const after = read(22, [own(4)], { known: before.periods });
  expect(places(after)).toEqual([[8, 14]]);
});

test('an MPD that has ended places its Periods in the same way', () => {
  expect(places(read(900, [first, b({ from: 0, count: 1 })], { type: 'type="static"' }))[1]).toEqual([8, 8]);
});

test('segments after the end of a Period are left out with a warning', () => {
  const result = read(30, [listed('start="PT0S" duration="PT8S"', { from: 0, count: 9 })]);
  expect(result.warnings).toEqual([naming('5 segments', 'after its end')]);
});

test('an end of the MPD before the newest Period is ignored with a warning', () => {
  const type = 'type="dynamic" mediaPresentationDuration="PT0S"';
  const result = read(30, [listed('start="PT20S"', { from: 0, count: 2 })], { type });
  expect(places(result)).toEqual([[20, 22]]);
  expect(result.warnings).toEqual([naming('mediaPresentationDuration', 'line 1')]);
});
