// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, flicks } from '../../time/units.ts';
import { fitToLadder, ladderOf } from './ladderOf.ts';

const asset = syntheticAsset({
  name: 'asset',
  rate: { n: 25, d: 1 },
  sampleRate: 48_000,
  segments: [50, 50, 50, 50],
  qualities: 2,
});
const [first, second, audio] = asset.renditions as [
  (typeof asset.renditions)[0],
  (typeof asset.renditions)[0],
  (typeof asset.renditions)[0],
];

/** The asset with audio from one second to another. */
function withAudio(from: number, to: number) {
  const borders = [from, 2, 4, 6, to].filter((second, index, all) => index === 0 || second > all[index - 1]!);
  const track = { ...audio.tracks[0]!, borders: Float64Array.from(borders, (second) => second * 48_000) };
  const part = {
    ...asset.parts[0]!,
    cutPoints: Float64Array.from([0, 8], (second) => flicks(second * FLICKS_PER_SECOND)),
  };
  return { ...asset, parts: [part], renditions: [first, second, { ...audio, tracks: [track] }] };
}

test('the target duration covers every listed segment, also where audio starts late or ends early', () => {
  expect(ladderOf([asset]).targetDuration).toBe(3);
  expect(ladderOf([withAudio(0, 7)]).targetDuration).toBe(3);
  expect(ladderOf([withAudio(0, 6)]).targetDuration).toBe(4);
  expect(ladderOf([withAudio(2.5, 8)]).targetDuration).toBe(4);
});

test('the target duration covers a segment whose border moves by half an audio frame (law 4)', () => {
  const ofSeconds = (seconds: number) => {
    const own = syntheticAsset({
      name: 'asset',
      rate: { n: 100, d: 1 },
      sampleRate: 48_000,
      segments: [200, seconds * 100, 200],
      qualities: 1,
    });
    return ladderOf([own]).targetDuration;
  };
  expect([3.45, 3.49, 3.5].map(ofSeconds)).toEqual([3, 4, 4]);
});

test('an asset that requires a longer target duration does not fit', () => {
  expect(fitToLadder(withAudio(0, 6), ladderOf([asset]))).toEqual({
    ok: false,
    code: 'TARGET_DURATION',
    reason: naming(3, 2, 'audio', '4.000'),
  });
});

test('an asset of less than half a second does not fit', () => {
  const short = (frames: number) =>
    syntheticAsset({ name: 'short', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [frames], qualities: 2 });
  expect(fitToLadder(short(13), ladderOf([asset]))).toMatchObject({ ok: true });
  expect(fitToLadder(short(12), ladderOf([asset]))).toEqual({
    ok: false,
    code: 'TOO_SHORT',
    reason: naming('0.480', '0.5'),
  });
});
