// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { periodChanges } from './patch.ts';

const periodsIn = (text: string) => ({ text, last: text, hasLists: text.includes('<SegmentList') });
const changesOf = (before: string, now: string) => periodChanges(periodsIn(before), periodsIn(now));

type Shape = { readonly runs?: readonly string[]; readonly number?: number; readonly event?: string };

const period = (id: string, { runs = ['t="0" d="50" r="4"'], number = 1, event = 'b' }: Shape = {}): string =>
  [
    `<Period id="${id}" start="PT0S">`,
    '<EventStream schemeIdUri="urn:x" timescale="1">',
    `<Event presentationTime="0" duration="10" id="1">${event}</Event>`,
    '</EventStream>',
    '<AdaptationSet id="1" contentType="video" mimeType="video/mp4">',
    '<Representation id="v0" codecs="avc1.64001f" bandwidth="1">',
    `<SegmentTemplate timescale="25" startNumber="${number}" media="v/$Number$.m4s">`,
    '<SegmentTimeline>',
    ...runs.map((run) => `<S ${run}/>`),
    '</SegmentTimeline>',
    '</SegmentTemplate>',
    '</Representation>',
    '</AdaptationSet>',
    '</Period>',
  ].join('\n');

const TEMPLATE = "/MPD/Period[@id='a']/AdaptationSet[@id='1']/Representation[@id='v0']/SegmentTemplate";
const LINE = `${TEMPLATE}/SegmentTimeline`;
const joined = (...periods: string[]) => periods.join('\n');

test('the same Periods have no changes', () => {
  expect(changesOf(joined(period('a'), period('b')), joined(period('a'), period('b')))).toEqual([]);
});

test('a time line loses segments at its start and gains others at its end', () => {
  const before = period('a', { runs: ['t="0" d="50"', 'd="40" r="2"', 'd="50"'] });
  const now = period('a', { number: 3, runs: ['t="90" d="40" r="1"', 'd="50" r="1"', 'd="30"', 'd="20"'] });
  expect(changesOf(before, now)).toEqual([
    `<replace sel="${TEMPLATE}/@startNumber">3</replace>`,
    `<remove sel="${LINE}/S[1]" ws="before"/>`,
    `<replace sel="${LINE}/S[1]"><S t="90" d="40" r="1"/></replace>`,
    `<replace sel="${LINE}/S[2]"><S d="50" r="1"/></replace>`,
    `<add sel="${LINE}"><S d="30"/>\n<S d="20"/>\n</add>`,
  ]);
});

test('a time line that becomes shorter loses its last elements', () => {
  const now = period('a', { runs: ['t="0" d="50"'] });
  expect(changesOf(period('a', { runs: ['t="0" d="50"', 'd="40"', 'd="30"'] }), now)).toEqual([
    `<remove sel="${LINE}/S[3]" ws="before"/>`,
    `<remove sel="${LINE}/S[2]" ws="before"/>`,
  ]);
});

test('Periods leave at the front and are added after the last one', () => {
  const before = joined(period('x'), period('a'));
  expect(changesOf(before, joined(period('a'), period('b'), period('c')))).toEqual([
    `<remove sel="/MPD/Period[@id='x']" ws="before"/>`,
    `<add sel="/MPD/Period[@id='a']" pos="after">\n${period('b')}\n${period('c')}</add>`,
  ]);
});

const list = (id: string) => period(id).replaceAll('SegmentTemplate', 'SegmentList');

test.each([
  ['nothing is left of what the player has', period('a'), period('b')],
  ['nothing is listed', period('a'), ''],
  ['nothing was listed', '', period('a')],
  ['an event has changed', period('a'), period('a', { event: 'c' })],
  ['the last Period is gone', joined(period('a'), period('b')), period('a')],
  ['another Period is within', joined(period('a'), period('b')), joined(period('a'), period('c'))],
  ['a removed id begins another one', joined(period('0-1'), period('0-10')), period('0-10')],
  ['a removed id begins that of a new one', joined(period('0-1'), period('a')), joined(period('a'), period('0-10'))],
  ['an id cannot be selected', period("it's"), period("it's", { number: 2 })],
  ['a SegmentList was listed', joined(list('x'), period('a')), period('a')],
  ['a SegmentList is listed', period('a'), joined(period('a'), list('b'))],
])('the whole MPD is read if %s', (_, before, now) => {
  expect(changesOf(before, now)).toBeUndefined();
});
