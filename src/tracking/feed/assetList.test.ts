// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { richBreak } from '../../../test/vast/richAd.ts';
import { stitchedAds } from '../../ads/record/breakRecord.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { type ListedAsset, writeAssetList } from './assetList.ts';

const [ad] = stitchedAds(richBreak('1-2', '2026-03-01T20:00:30.500Z'));
const assetOf = (name: string, ...clips: ListedAsset['clips']): ListedAsset => ({
  url: `https://live.test/${name}.m3u8`,
  clips,
});
const spot = assetOf('spot', { duration: secondsToFlicks(10), ad });
const slate = assetOf('slate', { duration: secondsToFlicks(20.02) });

const options = { tracking: 'server', canSkip: false, joinedAt: 0 } as const;

test('each clip has its absolute URL and its duration, and each ad a signal', () => {
  const { ASSETS, ...rest } = writeAssetList([spot, slate], options);
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
  const [asset] = writeAssetList([spot], { ...options, tracking }).ASSETS;
  return asset!['X-AD-CREATIVE-SIGNALING']!.payload[0]!.tracking.map(({ type }) => type);
};

test('the player requests only the URLs that Midroll does not', () => {
  expect(trackedIn('client')).toEqual(expect.arrayContaining(['impression', 'start', 'complete']));
  expect(trackedIn('server')).not.toEqual(expect.arrayContaining(['impression']));
  expect(trackedIn('server')).not.toEqual(expect.arrayContaining(['start']));
});

test('a pod names its ads with their places', () => {
  const list = writeAssetList([assetOf('intro', { duration: secondsToFlicks(2) }), spot, slate, spot], options);
  expect(list['X-AD-CREATIVE-SIGNALING']).toMatchObject({ type: 'pod', payload: [{ start: 2 }, { start: 32.02 }] });
});

test('a single ad on demand can be skipped as its VAST says', () => {
  expect(writeAssetList([spot], { ...options, canSkip: true })['SKIP-CONTROL']).toEqual({
    OFFSET: 5,
    'LABEL-ID': 'skip',
  });
  expect(writeAssetList([spot, spot], { ...options, canSkip: true })).not.toHaveProperty('SKIP-CONTROL');
  expect(writeAssetList([spot], options)).not.toHaveProperty('SKIP-CONTROL');
});

test('an asset of an ad and of short clips has the signal of the ad, and the length of all', () => {
  const short = { duration: secondsToFlicks(0.4) };
  const [asset] = writeAssetList([assetOf('all', short, ...spot.clips, short)], options).ASSETS;
  expect(asset).toMatchObject({
    DURATION: 10.8,
    'X-AD-CREATIVE-SIGNALING': { type: 'slot', payload: [{ start: 0.4, duration: 10 }] },
  });
});

test.each([
  [9.2, [10, 20.02]],
  [9.7, [9.699, 20.02]],
  [10.3, [10, 20.02]],
  [29.9, [10, 19.899]],
  [40, [10, 20.02]],
  [Number.NaN, [10, 20.02]],
])('a player that joins at %d s does not join an asset just before its end', (joinedAt, durations) => {
  const { ASSETS } = writeAssetList([spot, slate], { ...options, joinedAt });
  expect(ASSETS.map(({ DURATION }) => DURATION)).toEqual(durations);
});
