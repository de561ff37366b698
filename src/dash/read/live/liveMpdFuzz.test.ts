// SPDX-License-Identifier: Apache-2.0
// Live MPDs whose attributes have any value: they are read, or refused with the line. Nothing else may happen, and nothing may
// take long, because the MPD of a channel on air is read every second or two.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../../test/lawRuns.ts';
import { naming } from '../../../../test/naming.ts';
import { flicks, millis } from '../../../time/units.ts';
import { readLiveMpd } from './readLiveMpd.ts';

const url = 'https://o.example/live.mpd';
const now = { millis: millis(Date.parse('2026-01-01T00:10:00Z')), rest: flicks(0) };

const mpdOf = (addressing: string): string =>
  `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="2026-01-01T00:00:00Z" timeShiftBufferDepth="PT1M" minimumUpdatePeriod="PT2S">
<Period id="a" start="PT0S" duration="PT9M"><AdaptationSet id="1" contentType="video" mimeType="video/mp4">
${addressing}
<Representation id="v" bandwidth="1000" codecs="avc1.64001e" width="640" height="360" frameRate="25/1"/></AdaptationSet></Period>
<Period id="b" start="PT9M">
<EventStream schemeIdUri="urn:scte:scte35:2014:xml+bin" timescale="90000" presentationTimeOffset="0"><Event presentationTime="900" duration="90000" id="1"/></EventStream>
<AdaptationSet id="1" contentType="video" mimeType="video/mp4">
${addressing}
<Representation id="v" bandwidth="1000" codecs="avc1.64001e" width="640" height="360"/></AdaptationSet></Period></MPD>`;
const names = 'media="$RepresentationID$/$Time$-$Number$.m4s" initialization="$RepresentationID$.mp4"';
const texts = [
  `<SegmentTemplate timescale="90000" presentationTimeOffset="0" startNumber="1" ${names}><SegmentTimeline><S t="0" d="180000" r="20" n="1"/><S d="180000" r="-1"/></SegmentTimeline></SegmentTemplate>`,
  `<SegmentTemplate timescale="90000" duration="180000" presentationTimeOffset="0" startNumber="1" endNumber="9999" ${names}/>`,
  '<SegmentList timescale="90000" duration="180000" startNumber="1"><Initialization sourceURL="i.mp4"/><SegmentURL media="1.m4s"/><SegmentURL media="2.m4s"/></SegmentList>',
].map(mpdOf);

const numbers = '|0|-1|1|0.0001|1.5|1e9|NaN|x|2147483648|4294967296|999999999999999'.split('|');
const long = ['9007199254740993', '18446744073709551615', '99999999999999999999', '-99999999999999999999'];
const times = 'PT0S P1D PT99999999H PT999999999999S -PT5S 1970-01-01T00:00:00Z 9999-12-31T23:59:59Z'.split(' ');
const junk = fc.constantFrom(' ', ...numbers, ...long, '9'.repeat(400), ...times);

const withAttribute = (text: string, index: number, value: string): string => {
  const found = [...text.matchAll(/ ([\w:]+)="([^"]*)"/g)];
  const match = found[index % found.length]!;
  return `${text.slice(0, match.index)} ${match[1]}="${value}"${text.slice(match.index + match[0].length)}`;
};

test('any value of any attribute is read or refused', () => {
  const changes = fc.array(fc.tuple(fc.nat(80), junk), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...texts), changes, (text, changed) => {
      const mpd = changed.reduce((each, [index, value]) => withAttribute(each, index, value), text);
      const result = readLiveMpd(mpd, url, { now });
      if ('refused' in result) expect(result.refused).toMatch(/^(line \d+: |the MPD )/);
      else for (const { representations } of result.periods) expect(representations.length).toBeLessThan(2);
    }),
    lawRuns(150),
  );
});

const refusal = (addressing: string): string => {
  const result = readLiveMpd(mpdOf(addressing), url, { now });
  return 'refused' in result ? result.refused : '';
};
const template = (attributes: string, s: string): string =>
  `<SegmentTemplate ${attributes} ${names}><SegmentTimeline>${s}</SegmentTimeline></SegmentTemplate>`;

test('media times that are out of range are refused with the line and what to check', () => {
  const scale = naming('line 3', 'timescale', 4_294_967_295);
  expect(refusal(template('timescale="100000000000000000000"', '<S t="0" d="2"/>'))).toEqual(naming('line 3', '2^53'));
  expect(refusal(template('timescale="4294967296"', '<S t="0" d="2"/>'))).toEqual(scale);
  expect(refusal(template('timescale="1"', '<S t="0" d="9000000" r="9"/>'))).toEqual(naming('line 3', 9_000_000));
  expect(refusal(template('timescale="1"', '<S t="18446744073709551615" d="2"/>'))).toEqual(naming('line 3', 'S@t'));
  expect(refusal(template('timescale="90000"', '<S t="0" d="1" r="9999"/>'))).toEqual(naming('line 3', 10_000));
  expect(refusal(`<SegmentTemplate timescale="90000" duration="0.0001" ${names}/>`)).toEqual(naming('line 3', 9000));
  expect(refusal(`<SegmentTemplate timescale="12800" duration="1.5" ${names}/>`)).toEqual(naming('line 3', 1280));
});
