// SPDX-License-Identifier: Apache-2.0
// The committed media: manifests and segments agree.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBox, readUint32, readUint64 } from '../src/mp4/boxes.ts';
import { advertisements } from './advertisements.ts';
import { packagedIds } from './making/packagedAds.ts';
import { mediaFolder, packagedFolder } from './origin.ts';

const AAC_FRAME = 1024 / 48_000;

/** Segment borders in seconds: by the media (`measured`) and by the playlist, with its end (`listed`). */
function borders(video: string, track: string, timescale: number): { measured: number[]; listed: number[] } {
  const lines = readFileSync(join(mediaFolder, video, `${track}.m3u8`), 'utf8').split('\n');
  const names = lines.filter((line) => line.endsWith('.m4s'));
  const measured = names.map((name) => {
    const bytes = readFileSync(join(mediaFolder, video, name));
    const tfdt = findBox(bytes, ['moof', 'traf', 'tfdt'])!;
    const ticks = bytes[tfdt.body] === 1 ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4);
    return ticks / timescale;
  });
  const listed = [0];
  for (const line of lines)
    if (line.startsWith('#EXTINF:')) listed.push(listed.at(-1)! + Number.parseFloat(line.slice(8)));
  return { measured, listed };
}

test.each([
  ['tide', 32],
  ['orbits', 34],
  ['hills', 36],
])('%s: audio borders are within half an AAC frame of video borders, and playlists list them', (name, seconds) => {
  const video = borders(name, 'v0', 25_000);
  expect(borders(name, 'v1', 25_000)).toEqual(video);
  const audio = borders(name, 'a0', 48_000);
  expect(audio.listed).toHaveLength(video.listed.length);
  expect(video.listed.at(-1)).toBe(seconds);
  video.listed.forEach((border, index) => {
    expect(Math.abs(audio.listed[index]! - border)).toBeLessThanOrEqual(AAC_FRAME / 2 + 1e-4);
    if (index === video.measured.length) return;
    expect(video.measured[index]).toBeCloseTo(border, 5);
    expect(audio.measured[index]).toBeCloseTo(audio.listed[index]!, 4);
  });
});

test('every ad has a creative, and all media together stay small', () => {
  for (const { id } of advertisements) {
    expect(statSync(join(mediaFolder, 'spots', `${id}.mp4`)).size).toBeLessThan(300_000);
  }
  const files = readdirSync(mediaFolder, { recursive: true, encoding: 'utf8' });
  const total = files.reduce((sum, file) => sum + statSync(join(mediaFolder, file)).size, 0);
  expect(total).toBeLessThan(6_000_000);
});

test('the packaged ads have the ids that Midroll uses; otherwise run npm run demo:media packaged', async () => {
  expect(readdirSync(packagedFolder).sort()).toEqual((await packagedIds()).sort());
});

/** The H.264 parameter sets of a track (ISO/IEC 14496-15 5.3.3.1), from its init segment. */
function parameterSets(file: string): string {
  const bytes = readFileSync(file);
  const sets = findBox(bytes, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'])!;
  const at = bytes.indexOf('avcC', sets.body);
  return bytes.toString('hex', at + 4, at - 4 + bytes.readUInt32BE(at - 4));
}

test.each([
  ['v0', '0.mp4'],
  ['v1', '1.mp4'],
])(
  '%s: videos, ads and slate have the same parameter sets, so a decoder that keeps the first set decodes all',
  (rung, track) => {
    const videos = ['tide', 'orbits', 'hills'].map((video) => join(mediaFolder, video, rung, 'init.mp4'));
    const ads = readdirSync(packagedFolder).map((id) => join(packagedFolder, id, track));
    const sets = [...videos, ...ads].map(parameterSets);
    expect(sets[0]).toMatch(/^0164/);
    expect(new Set(sets)).toEqual(new Set([sets[0]]));
  },
);
