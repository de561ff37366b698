// SPDX-License-Identifier: Apache-2.0

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { inLineAd } from '../../../test/vast/arbitraryVast.ts';
import { adRecord, emptyBreak, richAd, richBreak } from '../../../test/vast/richAd.ts';
import { vastFaults } from '../../../test/vast/vastShape.ts';
import { millis } from '../../time/units.ts';
import { readVast } from '../../vast/read/readVast.ts';
import type { InLineAd, VastExtension } from '../../vast/response.ts';
import { elementsOnly, nearestBreak, writePodVast } from './podVast.ts';

const start = Date.parse('2026-03-01T20:00:00.000Z');
const iso = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const context = { tracking: 'client', zero: millis(start - 60_000) } as const;

function adsOf(text: string | undefined): InLineAd[] {
  const read = readVast(text!);
  if ('reason' in read) throw new Error(read.reason);
  expect(read.warnings).toEqual([]);
  return read.ads as InLineAd[];
}

test('a pod is written as VAST, in order, with the time of each ad in an Extension', () => {
  const [one, two] = adsOf(writePodVast([richBreak('1-2', iso(0))], context));
  expect([one!.sequence, two!.sequence]).toEqual([1, 2]);
  const { extensions, sequence, ...rest } = one!;
  const { extensions: originalExtensions, ...original } = richBreak('1-2', iso(0)).ads[0]!.vast as InLineAd;
  expect(rest).toEqual(original);
  expect(extensions.slice(0, -1)).toEqual(originalExtensions);
  expect(extensions.at(-1)).toEqual({
    type: 'midroll:timing',
    attributes: {},
    content: `<AdTiming adId="1-2-0" breakId="1-2" startsAt="${iso(0)}" duration="10" startTimeInSeconds="60" zero="${iso(-60)}" tracking="client"/>`,
  });
});

test('a single ad is written without a sequence', () => {
  const [only, ...others] = adsOf(writePodVast([richBreak('1-2', iso(0))], context, '1-2-1'));
  expect(others).toEqual([]);
  expect(only!.sequence).toBeUndefined();
  expect(only!.extensions.at(-1)!.content).toContain('adId="1-2-1"');
  expect(writePodVast([richBreak('1-2', iso(0))], context, '1-2-7')).toBeUndefined();
});

test('URLs that the server requests are left out', () => {
  const [ad] = adsOf(writePodVast([richBreak('1-2', iso(0))], { ...context, tracking: 'server' }));
  const linear = ad!.creatives[0]!.linear!;
  expect(ad!.impressions).toEqual([]);
  expect(linear.trackingEvents.map(({ event }) => event)).toEqual(['mute']);
  expect(linear.clickThrough?.url).toBe('https://t.test/shop');
  expect(ad!.creatives[1]!.companionAds!.companions[0]!.trackingEvents).toHaveLength(1);
});

test('an ad that an early return cut has no events after the cut', () => {
  const record = richBreak('1-2', iso(0));
  const cut = { ...record, ads: [{ ...record.ads[0]!, shown: 5 }] };
  const eventsOf = (tracking: 'client' | 'server') => {
    const [ad] = adsOf(writePodVast([cut], { ...context, tracking }));
    expect(ad!.extensions.at(-1)!.content).toContain('duration="5"');
    return ad!.creatives[0]!.linear!.trackingEvents.map(({ event }) => event);
  };
  expect(eventsOf('client')).toEqual(['start', 'firstQuartile', 'mute', 'progress']);
  expect(eventsOf('server')).toEqual(['mute']);
});

test.each([
  [-31, undefined],
  [-30, 'first'],
  [29.9, 'first'],
  [40, 'first'],
  [60, 'first'],
  [75, 'second'],
  [100, 'second'],
  [135, 'second'],
  [191, undefined],
])('at %d s the nearest pod is %s', (seconds, id) => {
  const breaks = [richBreak('first', iso(0)), emptyBreak('empty', iso(40)), richBreak('second', iso(100))];
  expect(nearestBreak(breaks, millis(start + seconds * 1000), 60_000)?.id).toBe(id);
});

test('the result is valid VAST 4.2 for any ad response', () => {
  const ads = fc.array(inLineAd, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(ads, fc.constantFrom('client', 'server'), (list, tracking) => {
      const records = list.map((ad, index) => adRecord(`1-2-${index}`, iso(0), ad));
      const text = writePodVast([{ ...richBreak('1-2', iso(0)), ads: records }], { ...context, tracking });
      expect(vastFaults(text!)).toEqual([]);
      expect(adsOf(text)).toHaveLength(list.length);
    }),
    lawRuns(100),
  );
  expect(vastFaults(writePodVast([richBreak('1-2', iso(0))], context)!)).toEqual([]);
});

test.each([
  ['<Impression>about:blank</Impression>', '', 'InLine contains'],
  ['<AdTitle>Tea</AdTitle>', '', 'InLine contains'],
  ['delivery="progressive"', '', 'lacks @delivery'],
  ['</AdSystem>', '</AdSystem><Mood/>', 'InLine contains'],
  ['<Country>', 'text<Country>', 'has text'],
])('vastShape reports a document with a fault at %s', (text, replacement, fault) => {
  const vast = writePodVast([richBreak('1-2', iso(0))], { ...context, tracking: 'server' })!;
  const broken = vast.replaceAll('<![CDATA[about:blank]]>', 'about:blank').replaceAll(text, replacement);
  expect(broken).not.toBe(vast);
  expect(vastFaults(broken).join()).toContain(fault);
});

const tidied = (attributes: VastExtension['attributes'], content: string) =>
  elementsOnly({ ...richAd(), extensions: [{ type: 't', attributes, content }] }).extensions[0];

test.each([
  ['elements are unchanged', {}, '<a b="1">c</a><d/>', {}, '<a b="1">c</a><d/>'],
  ['empty content is unchanged', {}, '', {}, ''],
  ['text is wrapped in an element', {}, 'fallback', {}, '<Content>fallback</Content>'],
  ['text between elements is wrapped', {}, 'a<b/>c', {}, '<Content>a<b/>c</Content>'],
  [
    'attributes are moved to the element',
    { fallback_index: '0' },
    '<a/>',
    {},
    '<Content fallback_index="0"><a/></Content>',
  ],
  ['invalid XML is escaped', {}, 'a < b', {}, '<Content>a &lt; b</Content>'],
])('%s', (_, attributes, content, expectedAttributes, expectedContent) => {
  expect(tidied(attributes, content)).toEqual({ type: 't', attributes: expectedAttributes, content: expectedContent });
});
