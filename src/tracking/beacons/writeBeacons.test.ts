// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import { deliveredBeacons } from './writeBeacons.ts';

test('[ASSETURI] is the media file that was selected for the ad', () => {
  const vast = { kind: 'inLine', creatives: [] } as unknown as InLineAd;
  const ad = (adId: string, more: Partial<AdRecord> = {}) => ({
    adId,
    duration: 5,
    outcome: 'stitched',
    vast,
    ...more,
  });
  const ads = [
    ad('a', { assetUrl: 'https://m.test/a.mp4?x=1' }),
    ad('b', { assetUrl: 'https://m.test/b.mp4' }),
    ad('none'),
  ];
  const record = { id: 'break', startsAt: '2026-05-01T10:00:00.000Z', duration: 30, ads } as unknown as BreakRecord;
  const viewer = { address: '192.0.2.1', userAgent: 'TV' };
  const of = { id: 's', channelId: 'c', tenant: 't', parameters: {}, openedAt: millis(0) };
  const session = { ...of, viewer } as unknown as Session;
  const urls = (adId: string) => {
    const event = { name: 'start', at: 0, urls: ['https://t.test/?u=[ASSETURI]&v=%%ASSETURI%%'] };
    const due = [{ event, ownerId: adId, happensAt: millis(1), dueAt: millis(2) }];
    return deliveredBeacons(session, record, adId, due, millis(3)).map(({ url }) => url);
  };
  const filled = (url: string) => [`https://t.test/?u=${encodeURIComponent(url)}&v=${encodeURIComponent(url)}`];
  expect(urls('a')).toEqual(filled('https://m.test/a.mp4?x=1'));
  expect(urls('b')).toEqual(filled('https://m.test/b.mp4'));
  // -1 means unknown (VAST 4.2 §6.1).
  expect(urls('none')).toEqual(filled('-1'));
});
