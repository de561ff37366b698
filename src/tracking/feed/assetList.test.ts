// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { richBreak } from '../../../test/vast/richAd.ts';
import { stitchedAds } from '../../ads/record/breakRecord.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { type ListedClip, writeAssetList } from './assetList.ts';

const [ad] = stitchedAds(richBreak('1-2', '2026-03-01T20:00:30.500Z'));
const clipOf = (name: string, seconds: number, more: Partial<ListedClip> = {}): ListedClip => ({
  url: `https://live.test/${name}.m3u8`,
  duration: secondsToFlicks(seconds),
  ...more,
});
const spot = clipOf('spot', 10, { ad });
const slate = clipOf('slate', 20.02);

test('each clip has its absolute URL and its duration, and each ad a signal', () => {
  const { ASSETS, ...rest } = writeAssetList([spot, slate], 'server', false);
  expect(ASSETS.map(({ URI, DURATION }) => [URI, DURATION])).toEqual([
    ['https://live.test/spot.m3u8', 10],
    ['https://live.test/slate.m3u8', 20.02],
  ]);
  expect(ASSETS[0]!['X-AD-CREATIVE-SIGNALING']).toMatchObject({
    version: 2,
    type: 'slot',
    payload: [{ type: 'linear', start: 0, duration: 10, skipOffset: 5, identifiers: [{ value: '1-2-0' }, {}] }],
  });
  expect(ASSETS[1]).not.toHaveProperty('X-AD-CREATIVE-SIGNALING');
  expect(rest).toEqual({});
});

const trackedIn = (tracking: 'server' | 'client') => {
  const [asset] = writeAssetList([spot], tracking, false).ASSETS;
  return asset!['X-AD-CREATIVE-SIGNALING']!.payload[0]!.tracking.map(({ type }) => type);
};

test('the player requests only the URLs that Midroll does not', () => {
  expect(trackedIn('client')).toEqual(expect.arrayContaining(['impression', 'start', 'complete']));
  expect(trackedIn('server')).not.toEqual(expect.arrayContaining(['impression']));
  expect(trackedIn('server')).not.toEqual(expect.arrayContaining(['start']));
});

test('a pod names its ads with their places', () => {
  const list = writeAssetList([clipOf('intro', 2), spot, slate, spot], 'server', false);
  expect(list['X-AD-CREATIVE-SIGNALING']).toMatchObject({ type: 'pod', payload: [{ start: 2 }, { start: 32.02 }] });
});

test('a single ad on demand can be skipped as its VAST says', () => {
  expect(writeAssetList([spot], 'server', true)['SKIP-CONTROL']).toEqual({ OFFSET: 5, 'LABEL-ID': 'skip' });
  expect(writeAssetList([spot, spot], 'server', true)).not.toHaveProperty('SKIP-CONTROL');
  expect(writeAssetList([spot], 'server', false)).not.toHaveProperty('SKIP-CONTROL');
});
