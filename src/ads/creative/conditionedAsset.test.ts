// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, flicksToSeconds } from '../../time/units.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { creativeAsset, playableFrames, slateAsset } from './conditionedAsset.ts';
import type { ConditionedMedia } from './creative.ts';

const ntsc = { n: 30_000, d: 1001 };
const ladder: Ladder = {
  container: 'fmp4',
  layout: 'separate',
  frameRate: ntsc,
  targetDuration: 3,
  rungs: [
    { id: 'v0', kind: 'video', codecs: 'avc1.64001f', bandwidth: 2e6, averageBandwidth: 2e6, width: 640, height: 360 },
    { id: 'v1', kind: 'video', codecs: 'avc1.42c00c', bandwidth: 5e5, averageBandwidth: 5e5, width: 320, height: 180 },
    { id: 'a0', kind: 'audio', codecs: 'mp4a.40.2', bandwidth: 1e5, averageBandwidth: 1e5, sampleRate: 48_000 },
  ],
};
const rung = (codecs: string, timescale: number) => ({ codecs, timescale, bandwidth: 1000, averageBandwidth: 900 });
const media: ConditionedMedia = {
  id: '0a1b',
  frames: 899,
  rungs: [rung('avc1.64001f', 30_000), rung('avc1.42c01e', 30_000), rung('mp4a.40.2', 48_000)],
};
const tsMedia = { ...media, rungs: media.rungs.map((each) => ({ ...each, timescale: 90_000 })) };

describe('creativeAsset', () => {
  it('lists the stored segments with exact borders in every rung', () => {
    const asset = creativeAsset(media, ladder, 899, 'https://live.example');
    expect(flicksToSeconds(asset.duration)).toBeCloseTo((899 * 1001) / 30_000, 9);
    const [video, small, audio] = asset.renditions;
    expect([...video!.tracks[0]!.borders].slice(-3)).toEqual([780 * 1001, 840 * 1001, 899 * 1001]);
    expect(small!.tracks[0]!.borders).toBe(video!.tracks[0]!.borders);
    expect(small!.codecs).toBe('avc1.42c01e');
    const borders = [...audio!.tracks[0]!.borders];
    expect(borders.slice(0, 5).map((border) => border / 1024)).toEqual([0, 94, 188, 282, 375]);
    asset.parts[0]!.cutPoints.forEach((cutPoint, index) => {
      expect(Math.abs(borders[index]! / 48_000 - cutPoint / FLICKS_PER_SECOND)).toBeLessThanOrEqual(512 / 48_000);
    });
    expect(segmentUrl(video!.tracks[0]!, 14).url).toBe('https://live.example/m/0a1b/899/v0/14.m4s');
    expect(video!.tracks[0]!.init!.url).toBe('https://live.example/m/0a1b/899/v0/init.mp4');
  });

  it('changes only the last segment when it plays shorter or longer', () => {
    const { min, max } = playableFrames(899, ntsc);
    expect([min, max]).toEqual([892, 914]);
    const [normal, long] = [899, max].map((frames) => creativeAsset(media, ladder, frames, ''));
    expect(long!.renditions[0]!.tracks[0]!.borders.slice(0, -1)).toEqual(
      normal!.renditions[0]!.tracks[0]!.borders.slice(0, -1),
    );
    expect(long!.renditions[0]!.tracks[0]!.borders.at(-1)).toBe(914 * 1001);
    expect(long!.id).not.toBe(normal!.id);
    expect(() => creativeAsset(media, ladder, max + 1, '')).toThrow(
      expect.objectContaining({ message: naming(892, 914) }),
    );
  });

  it('starts MPEG-TS at ten seconds in 90 kHz, without an initialization section', () => {
    const asset = creativeAsset(tsMedia, { ...ladder, container: 'ts' }, 899, '');
    const track = asset.renditions[0]!.tracks[0]!;
    expect(track.borders[0]).toBe(900_000);
    expect(track.borders[1]).toBe(900_000 + 60 * 3003);
    expect(track.init).toBeUndefined();
    expect(segmentUrl(track, 0).url).toBe('/m/0a1b/899/v0/0.ts');
    expect(flicksToSeconds(asset.parts[0]!.zero)).toBe(10);
  });
});

describe('slateAsset', () => {
  it('starts with an irregular segment that ends where the shared seconds start', () => {
    const asset = slateAsset(media, ladder, 100, '');
    const [video, , audio] = asset.renditions;
    expect([...video!.tracks[0]!.borders].map((border) => border / 1001)).toEqual([260, 300, 330, 360]);
    expect(segmentUrl(video!.tracks[0]!, 0).url).toBe('/m/0a1b/40/v0/0.m4s');
    expect(asset.parts[0]!.zero).toBe((260 * 1001 * FLICKS_PER_SECOND) / 30_000);
    expect([...asset.parts[0]!.cutPoints].at(-1)).toBe(asset.duration);
    expect(audio!.tracks[0]!.borders[1]).toBe(469 * 1024);
  });

  it('shares all segments but the first for every length', () => {
    const [short, long] = [100, 1000].map((frames) => slateAsset(media, ladder, frames, '').renditions[2]!.tracks[0]!);
    expect([...long!.borders].slice(1, 4)).toEqual([...short!.borders].slice(1, 4));
  });
});
