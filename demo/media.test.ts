// The committed films: what their manifests say is what the segments hold.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBox, readUint32, readUint64 } from '../src/mp4/boxes.ts';
import { advertisements } from './advertisements.ts';
import { packagedIds } from './making/packagedAds.ts';
import { mediaFolder, packagedFolder } from './origin.ts';

const AAC_FRAME = 1024 / 48_000;

/** Starts of the segments by the media itself, and the end by the playlist. Seconds. */
function borders(film: string, track: string, timescale: number): { measured: number[]; told: number[] } {
  const lines = readFileSync(join(mediaFolder, film, `${track}.m3u8`), 'utf8').split('\n');
  const names = lines.filter((line) => line.endsWith('.m4s'));
  const measured = names.map((name) => {
    const bytes = readFileSync(join(mediaFolder, film, name));
    const tfdt = findBox(bytes, ['moof', 'traf', 'tfdt'])!;
    const ticks = bytes[tfdt.body] === 1 ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4);
    return ticks / timescale;
  });
  const told = [0];
  for (const line of lines) if (line.startsWith('#EXTINF:')) told.push(told.at(-1)! + Number.parseFloat(line.slice(8)));
  return { measured, told };
}

test.each([
  ['tide', 32],
  ['orbits', 34],
  ['hills', 36],
])('%s: audio borders within half an AAC frame of video borders, as the playlists say', (film, seconds) => {
  const video = borders(film, 'v0', 25_000);
  expect(borders(film, 'v1', 25_000)).toEqual(video);
  const audio = borders(film, 'a0', 48_000);
  expect(audio.told).toHaveLength(video.told.length);
  expect(video.told.at(-1)).toBe(seconds);
  video.told.forEach((border, index) => {
    expect(Math.abs(audio.told[index]! - border)).toBeLessThanOrEqual(AAC_FRAME / 2 + 1e-4);
    if (index === video.measured.length) return;
    expect(video.measured[index]).toBeCloseTo(border, 5);
    expect(audio.measured[index]).toBeCloseTo(audio.told[index]!, 4);
  });
});

test('every advertisement has its creative, and all media together stay small', () => {
  for (const { id } of advertisements) {
    expect(statSync(join(mediaFolder, 'spots', `${id}.mp4`)).size).toBeLessThan(300_000);
  }
  const files = readdirSync(mediaFolder, { recursive: true, encoding: 'utf8' });
  const total = files.reduce((sum, file) => sum + statSync(join(mediaFolder, file)).size, 0);
  expect(total).toBeLessThan(6_000_000);
});

test('the packaged ads are those that Midroll looks for; if not, run npm run demo:media packaged', async () => {
  expect(readdirSync(packagedFolder).sort()).toEqual((await packagedIds()).sort());
});

/** The H.264 parameter sets of a track (ISO/IEC 14496-15 5.3.3.1), as they stand before its first fragment. */
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
  '%s: films, ads and slate have the same parameter sets, so a reader that keeps the first decodes all',
  (rung, track) => {
    const films = ['tide', 'orbits', 'hills'].map((film) => join(mediaFolder, film, rung, 'init.mp4'));
    const ads = readdirSync(packagedFolder).map((id) => join(packagedFolder, id, track));
    const sets = [...films, ...ads].map(parameterSets);
    expect(sets[0]).toMatch(/^0164/);
    expect(new Set(sets)).toEqual(new Set([sets[0]]));
  },
);
