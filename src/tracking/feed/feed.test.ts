// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { adRecord, emptyBreak, richAd, richBreak } from '../../../test/vast/richAd.ts';
import { millis } from '../../time/units.ts';
import { pageOf, readToken, writeTrackingFeed } from './feed.ts';

const at = '2026-03-01T20:00:30.500Z';
const zero = millis(Date.parse('2026-03-01T20:00:00.000Z'));
const page = { avails: [{ availId: '4711', record: richBreak('1-2', at) }], nextToken: null };
const options = { tracking: 'client', zero, anchor: 4696 } as const;

test('an avail has its date, its presentation time and the fields that players expect', () => {
  const feed = writeTrackingFeed(page, options);
  expect(feed).toMatchObject({
    dashAvailabilityStartTime: null,
    hlsAnchorMediaSequenceNumber: 4696,
    nextToken: null,
    nonLinearAvails: [],
    presentationZeroDateTime: '2026-03-01T20:00:00.000Z',
    tracking: 'client',
  });
  const [avail] = feed.avails;
  expect(avail).toMatchObject({
    adMarkerDuration: null,
    availId: '4711',
    availProgramDateTime: at,
    breakId: '1-2',
    startTime: 'PT30.5S',
    startTimeInSeconds: 30.5,
    duration: 'PT30S',
    durationInSeconds: 30,
    meta: null,
    status: 'partial',
  });
  expect(avail!.adBreakTrackingEvents).toMatchObject([
    { eventType: 'breakStart', beaconUrls: ['https://t.test/break'], startTimeInSeconds: 30.5 },
    { eventType: 'breakEnd', beaconUrls: ['https://t.test/over-and-out'], startTimeInSeconds: 50.5 },
  ]);
  expect(avail!.nonLinearAdsList).toHaveLength(2);
  expect(avail!.nonLinearAdsList[0]).toMatchObject({
    extensions: null,
    nonLinearAdList: [{ adId: 'n1', adSystem: 'Ads', creativeId: 'c-3', width: '640', height: '60' }],
    trackingEvents: [{ eventType: 'creativeView', beaconUrls: ['https://t.test/over'] }],
  });
});

test('an ad contains the data of its VAST', () => {
  const [ad] = writeTrackingFeed(page, options).avails[0]!.ads;
  expect(ad).toMatchObject({
    adId: '1-2-0',
    adParameters: 'a=b',
    adProgramDateTime: at,
    adSystem: 'Ads',
    adTitle: 'Tea',
    creativeId: 'c-1',
    creativeSequence: '1',
    vastAdId: 'ad-7',
    skipOffset: '00:00:05',
    startTimeInSeconds: 30.5,
    durationInSeconds: 10,
    adVerifications: [
      {
        vendor: 'v.test-omid',
        verificationParameters: 'key=1',
        javaScriptResource: [{ apiFramework: 'omid', browserOptional: 'true', uri: 'https://t.test/omid.js' }],
        executableResource: [
          { apiFramework: 'omid', type: 'application/x', uri: 'https://t.test/omid.bin', language: '' },
        ],
        trackingEvents: [{ event: 'verificationNotExecuted', uri: 'https://t.test/not?[REASON]' }],
      },
    ],
    companionAds: [
      {
        attributes: { id: '2', width: '300', height: '250', adSlotId: null },
        companionClickThrough: 'https://t.test/side-shop',
        companionClickTracking: null,
        staticResource: 'https://m.test/side.png',
        htmlResource: null,
        sequence: '1',
        trackingEvents: [{ eventType: 'creativeView', beaconUrls: ['https://t.test/side'] }],
      },
    ],
    icons: [
      {
        attributes: { program: 'AdChoices', xPosition: 'right', width: '20', duration: '00:00:10.000' },
        staticResource: 'https://m.test/icon.png',
        iconClicks: { iconClickThrough: 'https://t.test/why' },
        iconViewTracking: ['https://t.test/icon'],
      },
    ],
    mediaFiles: {
      mezzanine: 'https://m.test/mezz.mp4',
      mediaFilesList: [
        { id: 'm1', bitrate: 2000, width: 1280, mediaFileUri: 'https://m.test/tea.mp4', mediaType: 'video/mp4' },
      ],
    },
  });
  expect(ad!.extensions.map(({ type }) => type)).toEqual(['geo', 'InteractiveCreativeFile']);
  expect(ad!.extensions[0]!.content).toContain('<Country>SE</Country>');
});

test('events are timed by the ad as stitched, and have all their URLs and a unique id', () => {
  const { ads } = writeTrackingFeed(page, options).avails[0]!;
  expect(
    ads[0]!.trackingEvents.map((one) => [one.eventType, one.startTimeInSeconds - 30.5, one.beaconUrls.length]),
  ).toEqual([
    ['impression', 0, 2],
    ['start', 0, 1],
    ['firstQuartile', 2.5, 1],
    ['midpoint', 5, 1],
    ['thirdQuartile', 7.5, 1],
    ['complete', 10, 1],
    ['mute', 0, 1],
    ['progress', 3, 1],
    ['progress', 9, 1],
    ['clickThrough', 0, 1],
    ['clickTracking', 0, 1],
    ['error', 0, 1],
  ]);
  const all = ads.flatMap((ad) => [ad, ...ad.companionAds]).flatMap(({ trackingEvents }) => trackingEvents);
  const ids = all.map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ads[0]!.trackingEvents[3]!.eventProgramDateTime).toBe('2026-03-01T20:00:35.500Z');
});

test('events that the server sends have no URLs, and events that only a player observes have them', () => {
  const [avail] = writeTrackingFeed(page, { ...options, tracking: 'server' }).avails;
  const players = avail!.ads[0]!.trackingEvents.filter(({ firedBy }) => firedBy === 'player');
  expect(players.map(({ eventType }) => eventType)).toEqual(['mute', 'clickThrough', 'clickTracking', 'error']);
  for (const { firedBy, beaconUrls } of [...avail!.ads[0]!.trackingEvents, ...avail!.adBreakTrackingEvents]) {
    expect(beaconUrls.length > 0).toBe(firedBy === 'player');
  }
  expect(avail!.adBreakTrackingEvents).toHaveLength(2);
  expect(avail!.ads[0]!.companionAds[0]!.trackingEvents[0]!.beaconUrls).toEqual(['https://t.test/side']);
});

test('an empty break contains the reason', () => {
  const avails = [{ availId: '0-3', record: emptyBreak('0-3', at) }];
  const feed = writeTrackingFeed({ ...page, avails }, { tracking: 'client', zero, availabilityStart: zero });
  expect(feed).toMatchObject({
    dashAvailabilityStartTime: '2026-03-01T20:00:00.000Z',
    hlsAnchorMediaSequenceNumber: null,
    avails: [{ availId: '0-3', ads: [], adBreakTrackingEvents: [], nonLinearAdsList: [], status: 'empty' }],
  });
  expect(feed.avails[0]!.reason?.text).toBe('The ad server returned VAST without ads.');
});

test('an event named like an object property is included like any other', () => {
  const [creative, ...others] = richAd().creatives;
  const linear = { ...creative!.linear!, trackingEvents: [{ event: 'constructor', url: 'https://t.test/odd' }] };
  const vast = { ...richAd(), creatives: [{ ...creative!, linear }, ...others] };
  const record = { ...richBreak('1-2', at), ads: [adRecord('1-2-0', at, vast)] };
  const { ads } = writeTrackingFeed({ ...page, avails: [{ availId: '4711', record }] }, options).avails[0]!;
  const odd = ads[0]!.trackingEvents.find(({ eventType }) => eventType === 'constructor');
  expect(odd).toMatchObject({ beaconUrls: ['https://t.test/odd'], startTimeInSeconds: 30.5, durationInSeconds: 10 });
});

test('an ad that an early return cut has the shortened duration, and no events after the cut', () => {
  const record = richBreak('1-2', at);
  const [whole, last] = record.ads;
  const cut = { ...record, duration: 15.6, slate: 0.6, ads: [whole!, { ...last!, shown: 5 }] };
  const [avail] = writeTrackingFeed({ avails: [{ availId: '4711', record: cut }], nextToken: null }, options).avails;
  expect(avail!.durationInSeconds).toBe(15.6);
  expect(avail!.adBreakTrackingEvents.map(({ eventType }) => eventType)).toEqual(['breakStart']);
  expect(avail!.nonLinearAdsList[1]!.trackingEvents[0]!.durationInSeconds).toBe(5);
  const [first, second] = avail!.ads;
  expect(first!.trackingEvents.map(({ eventType }) => eventType)).toContain('complete');
  expect(second!.durationInSeconds).toBe(5);
  expect(second!.companionAds[0]!.trackingEvents[0]!.durationInSeconds).toBe(5);
  const after = second!.trackingEvents.map((one) => [one.eventType, one.startTimeInSeconds - 40.5]);
  expect(after).toEqual([
    ['impression', 0],
    ['start', 0],
    ['firstQuartile', 2.5],
    ['mute', 0],
    ['progress', 3],
    ['clickThrough', 0],
    ['clickTracking', 0],
    ['error', 0],
  ]);
});

const avail = (minute: number) => {
  const record = emptyBreak(`0-${minute}`, new Date(Date.UTC(2026, 2, 1, 20, minute)).toISOString());
  return { availId: record.id, record };
};
const all = [1, 2, 3, 4, 5].map(avail);
const ids = ({ avails }: ReturnType<typeof pageOf>) => avails.map(({ availId }) => availId);

test('the first page contains the newest avails, and its tokens lead to all earlier ones, each once', () => {
  const first = pageOf(all, undefined, 2);
  expect(ids(first)).toEqual(['0-4', '0-5']);
  const second = pageOf(all, readToken(first.nextToken!), 2);
  expect(ids(second)).toEqual(['0-2', '0-3']);
  const third = pageOf(all, readToken(second.nextToken!), 2);
  expect([ids(third), third.nextToken]).toEqual([['0-1'], null]);
});

test('a token leads to the same page after new breaks were added', () => {
  const { nextToken } = pageOf(all, undefined, 2);
  expect(ids(pageOf([...all, avail(6), avail(7)], readToken(nextToken!), 2))).toEqual(['0-2', '0-3']);
});

test.each(['', 'nonsense', 'YmVmb3JlIDE=', Buffer.from('before -1').toString('base64url'), 'é'.repeat(5000)])(
  'rejects the invalid token %j',
  (token) => {
    expect(readToken(token)).toBeUndefined();
  },
);
