// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { FLICKS_PER_SECOND, flicks } from '../../time/units.ts';
import { cutClip, mediaTime, segmentStart } from './clip.ts';

const shape = { name: 'asset', segments: [50, 50, 50, 50] };
const seconds = (value: number) => flicks(value * FLICKS_PER_SECOND);

function withAudio(borders: readonly number[], cutPoints: readonly number[]) {
  const asset = syntheticAsset(shape);
  const [video, audio] = asset.renditions as [(typeof asset.renditions)[0], (typeof asset.renditions)[0]];
  const track = { ...audio.tracks[0]!, borders: Float64Array.from(borders) };
  const part = { ...asset.parts[0]!, cutPoints: Float64Array.from(cutPoints, seconds) };
  return { ...asset, parts: [part], renditions: [video, { ...audio, tracks: [track] }] };
}

/** When its audio segments start by the dates of playlists, in milliseconds, if their first frames start at `starts`, in samples. */
function audioDates(borders: readonly number[], starts: readonly number[]): number[] {
  const { parts, renditions } = withAudio(borders, [0, 8]);
  const track = { ...renditions[1]!.tracks[0]!, audioStarts: Float64Array.from(starts) };
  const cell = { rendition: renditions[1]!, track };
  return starts.map((_, index) => Math.round((1000 * mediaTime(parts[0]!, cell, index)) / FLICKS_PER_SECOND));
}

function audioDurations(asset: ReturnType<typeof withAudio>, from: number, to: number): number[] {
  const clip = cutClip({ kind: 'content', asset, part: 0, from: seconds(from) }, asset.renditions, seconds(to))!;
  const cell = clip.cells[1]!;
  return Array.from({ length: cell.end - cell.first }, (_, index) => {
    const at = cell.first + index;
    return (segmentStart(clip, cell, at + 1) - segmentStart(clip, cell, at)) / FLICKS_PER_SECOND;
  });
}

test('a last segment of one audio frame keeps its duration', () => {
  const asset = withAudio([0, 96_256, 192_512, 288_768, 384_000 - 1024, 384_000], [0, 4, 8]);
  const lengths = audioDurations(asset, 0, 8);
  expect(lengths).toHaveLength(5);
  expect(lengths[4]).toBeCloseTo(1024 / 48_000, 9);
  expect(lengths.reduce((sum, length) => sum + length)).toBeCloseTo(8, 9);
});

test('audio is dated at its first frame, if that is beside its border', () => {
  expect(audioDates([0, 96_000, 192_000, 384_000], [-1024, 95_232, 193_024])).toEqual([-21, 1984, 4021]);
  expect(audioDates([0, 96_000, 384_000], [0, 98_304])).toEqual([0, 2000]);
});

test('a segment of a frame or two is dated before the next one, which may start a frame early, also in the next clip', () => {
  const end = 384_000;
  expect(audioDates([0, 96_000, end - 1024, end], [0, 96_000, end - 1024])).toEqual([0, 2000, 8000 - 26]);
  expect(audioDates([0, end - 2048, end], [0, end - 1024])).toEqual([0, 8000 - 26]);
  expect(audioDates([0, 96_000, 97_024, 98_048, end], [0, 96_000, 97_024, 98_048])).toEqual([0, 1995, 2017, 2043]);
});

test('a segment at a cut point starts at the cut point, even if its first audio frame does not', () => {
  const asset = withAudio([0, 96_256, 192_512, 288_768, 384_000], [0, 4, 8]);
  expect(audioDurations(asset, 0, 8).map((length) => Math.round(length * 1e6))).toEqual([
    2005333, 1994667, 2016000, 1984000,
  ]);
  expect(audioDurations(asset, 4, 8).map((length) => Math.round(length * 1e6))).toEqual([2016000, 1984000]);
});

test('a segment that the lag moves out of the clip is not in it', () => {
  const cells = [1024, -1024].map((lag) => {
    const asset = withAudio([0, 1024, 96_256, 192_512, 193_536, 384_000], [0, 4, 8]);
    const [video, audio] = asset.renditions;
    const renditions = [video!, { ...audio!, tracks: [{ ...audio!.tracks[0]!, lag }] }];
    return cutClip(
      { kind: 'content', asset: { ...asset, renditions }, part: 0, from: seconds(0) },
      renditions,
      seconds(4),
    )!.cells[1]!;
  });
  expect(cells.map(({ first, end }) => [first, end])).toEqual([
    [1, 3],
    [0, 3],
  ]);
});

test('audio that is late throughout is cut where the video is', () => {
  const late = [0, 96_256, 192_512, 288_768, 384_000].map((border) => border + 4096);
  const asset = withAudio(late, [0, 4, 8]);
  expect(audioDurations(asset, 0, 4).map((length) => Math.round(length * 1e6))).toEqual([2090667, 1909333]);
  expect(audioDurations(asset, 0, 8).reduce((sum, length) => sum + length)).toBeCloseTo(8, 9);
});
