// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { livePlaylist, readLivePlaylist } from './liveOrigin.ts';
import { mediaFolder } from './origin.ts';

const START = Date.parse('2026-03-01T00:00:00Z');

const numberOf = (text: string, tag: string): number => Number(new RegExp(`^#${tag}:(\\d+)$`, 'm').exec(text)![1]);

/** By number, with the tags in front of it. */
function listed(text: string): Map<number, string> {
  const segments = text
    .split('\n')
    .slice(6)
    .join('\n')
    .split(/(?<=\.m4s)\n/)
    .filter(Boolean);
  return new Map(segments.map((each, index) => [numberOf(text, 'EXT-X-MEDIA-SEQUENCE') + index, each]));
}

test.each(['v0', 'a0'])('%s lists the same segments whenever it is read', (name) => {
  const onDemand = readFileSync(join(mediaFolder, `tide/${name}.m3u8`), 'utf8');
  const seen = new Map<number, string>();
  let discontinuities = 0;
  for (let now = START; now < START + 130_000; now += 700) {
    const text = livePlaylist(onDemand, 32_000, now);
    const segments = listed(text);
    expect(segments.size).toBe(12);
    for (const [number, each] of segments) {
      expect(seen.get(number) ?? each).toBe(each);
      seen.set(number, each);
    }
    const first = numberOf(text, 'EXT-X-MEDIA-SEQUENCE');
    const left = [...seen].filter(([number, each]) => number < first && each.includes('DISCONTINUITY\n')).length;
    discontinuities ||= numberOf(text, 'EXT-X-DISCONTINUITY-SEQUENCE') - left;
    expect(numberOf(text, 'EXT-X-DISCONTINUITY-SEQUENCE')).toBe(discontinuities + left);
  }
  const all = [...seen.values()];
  expect(all.filter((each) => each.includes('#EXT-X-CUE-OUT:12\n'))).toHaveLength(5);
  expect(all.filter((each) => each.includes('#EXT-X-CUE-IN\n'))).toHaveLength(5);
});

test('renditions start their segments within a frame', () => {
  const texts = ['v0', 'a0'].map((name) =>
    livePlaylist(readFileSync(join(mediaFolder, `tide/${name}.m3u8`), 'utf8'), 32_000, START + 5000),
  );
  const [video, audio] = texts.map((text) =>
    [...text.matchAll(/DATE-TIME:(.+)$/gm)].map(([, date]) => Date.parse(date!)),
  );
  for (const [index, date] of video!.entries()) expect(Math.abs(date - audio![index]!)).toBeLessThan(22);
});

test('has no other playlists', async () => {
  expect(await readLivePlaylist(mediaFolder, '/live/master.m3u8', START)).toContain('v0.m3u8');
  expect(await readLivePlaylist(mediaFolder, '/live/v9.m3u8', START)).toBeUndefined();
  expect(await readLivePlaylist(mediaFolder, '/tide/v0.m3u8', START)).toBeUndefined();
});
