// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../time/units.ts';
import { fillMacros } from '../../vast/macros.ts';
import { readVast } from '../../vast/read/readVast.ts';
import type { InLineAd } from '../../vast/response.ts';
import { adEvents, beaconVariables, breakEvents } from './adEvents.ts';
import type { BreakRecord } from './breakRecord.ts';

const vastOf = (tracking: string, creatives = ''): InLineAd => {
  const read = readVast(`<VAST version="4.2"><Ad id="x"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
    <AdServingId>serving</AdServingId><Impression>https://a.test/i</Impression><Impression>https://b.test/i</Impression>
    <Creatives>${creatives}<Creative><UniversalAdId idRegistry="ad-id.org">8465</UniversalAdId><Linear>
    <Duration>00:00:10</Duration><TrackingEvents>${tracking}</TrackingEvents>
    <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://a.test/v.mp4</MediaFile>
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`);
  return ('ads' in read ? read.ads[0] : undefined) as InLineAd;
};
const textOf = (events: ReturnType<typeof adEvents>) =>
  events.map(({ name, at, urls }) => `${name} ${at} ×${urls.length}`).join(', ');
const track = (event: string, more = '') => `<Tracking event="${event}"${more}>https://a.test/${event}</Tracking>`;

test('events occur at fractions of the duration shown, with all their URLs', () => {
  const names = ['complete', 'start', 'start', 'midpoint', 'mute', 'firstQuartile', 'closeLinear'];
  const events = adEvents(vastOf(names.map((name) => track(name)).join('')), 12);
  expect(textOf(events)).toBe(
    'impression 0 ×2, start 0 ×2, firstQuartile 3000 ×1, midpoint 6000 ×1, complete 12000 ×1',
  );
});

test('progress events occur at their offsets, and never without an offset or after the end', () => {
  const offsets = [' offset="00:00:05"', ' offset="50%"', ' offset="00:00:11"', '', ' offset="00:00:02.500"'];
  const events = adEvents(vastOf(offsets.map((offset) => track('progress', offset)).join('')), 10);
  expect(textOf(events)).toBe('impression 0 ×2, progress 2.5s 2500 ×1, progress 5s 5000 ×2');
});

test.each(['apiFramework="VPAID"', ''])(
  'the events are those of the creative that is shown, not of a script before it (%s)',
  (api) => {
    const script = `<Creative><Linear><Duration>00:00:10</Duration><TrackingEvents>${track('midpoint')}</TrackingEvents><MediaFiles>
    <MediaFile delivery="progressive" type="application/javascript" ${api} width="1" height="1">https://a.test/v.js</MediaFile>
    </MediaFiles></Linear></Creative>`;
    expect(adEvents(vastOf(track('start'), script), 10).map(({ name }) => name)).toEqual(['impression', 'start']);
  },
);

test('the events of a break occur with its first and its last ad', () => {
  const ad = (adId: string, outcome: 'stitched' | 'skipped') => ({ adId, outcome, duration: 5 }) as const;
  const tracking = ['breakStart', 'breakEnd', 'error'].map((event) => ({ event, url: `https://a.test/${event}` }));
  const record = {
    tracking,
    ads: [ad('a', 'stitched'), ad('b', 'stitched'), ad('c', 'skipped')],
  } as unknown as BreakRecord;
  const of = (place: number) => breakEvents(record, record.ads[place]!).map(({ name, at }) => [name, at]);
  expect([of(0), of(1)]).toEqual([[['breakStart', 0]], [['breakEnd', 5000]]]);
});

test('macros are filled with the data of the event; unknown macros are left unchanged', () => {
  const session = {
    id: 's',
    channelId: 'c',
    viewer: { address: '192.0.2.1', userAgent: 'TV' },
    parameters: { ifa: 'abc', mediaplayhead: 'no' },
  };
  const record = { id: '1-2', startsAt: '2026-05-01T10:00:00.000Z', duration: 30 };
  const variables = beaconVariables(
    session,
    record,
  )({
    assetUrl: 'https://m.test/a.mp4?b=c',
    at: millis(Date.parse('2026-05-01T10:00:07.250Z')),
    mediaPlayhead: 3_723_004,
    adPlayhead: 2500,
    podPlace: 2,
    ad: vastOf(''),
    errorCode: 405,
    cacheBuster: () => '12345678',
    transactionId: () => 'tid',
  });
  const filled = (text: string) => fillMacros(text, variables, (value) => value);
  expect(filled('[TIMESTAMP] [CACHEBUSTING] [MEDIAPLAYHEAD] [CONTENTPLAYHEAD]')).toBe(
    '2026-05-01T10:00:07.250Z 12345678 01:02:03.004 01:02:03.004',
  );
  expect(filled('[ADPLAYHEAD] [PODSEQUENCE] [ERRORCODE] [ADSERVINGID] [UNIVERSALADID] [IFA] [TRANSACTIONID]')).toBe(
    '00:00:02.500 2 405 serving ad-id.org 8465 abc tid',
  );
  expect(filled('[ASSETURI]')).toBe('https://m.test/a.mp4?b=c');
  expect(fillMacros('https://t.test/?a=[ASSETURI]', variables)).toBe(
    'https://t.test/?a=https%3A%2F%2Fm.test%2Fa.mp4%3Fb%3Dc',
  );
  expect(filled('[BREAK_ID] %5BSESSION_ID%5D %%DEVICEIP%% [UNKNOWN] [CLICKPOS] [')).toBe(
    '1-2 s 192.0.2.1 [UNKNOWN] [CLICKPOS] [',
  );
});

test('the playhead and the position of a break of a VoD presentation are those in the content', () => {
  const session = { id: 's', channelId: 'c', viewer: { address: '', userAgent: '' }, parameters: {} };
  const position = { kind: 'post', requested: 70, contentTime: 62.5, movedBy: -7.5, origin: 'vmap' } as const;
  const record = { id: '0-2', startsAt: '2026-05-01T10:00:00.000Z', duration: 30, position };
  const event = { at: millis(0), mediaPlayhead: 95_000, cacheBuster: () => '1', transactionId: () => 't' };
  const text = '[MEDIAPLAYHEAD] [CONTENTPLAYHEAD] [BREAKPOSITION] [BREAK_CONTENT_TIME]';
  const filled = fillMacros(text, beaconVariables(session, record)(event), (value) => value);
  expect(filled).toBe('00:01:02.500 00:01:02.500 3 62.5');
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('an event called %s is ignored', (event) => {
  const events = adEvents(vastOf(track('start') + track(event)), 10);
  expect(textOf(events)).toBe('impression 0 ×2, start 0 ×1');
});
