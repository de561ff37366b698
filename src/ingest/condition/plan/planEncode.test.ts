// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import type { Ladder, Rung } from '../../../timeline/ladder/ladder.ts';
import { type EncodePlan, h264Level, ladderKey, mediaId, planEncode } from './planEncode.ts';

const video: Rung = {
  id: 'v0',
  kind: 'video',
  codecs: 'avc1.64001e',
  bandwidth: 5_500_000,
  averageBandwidth: 5_000_000,
  width: 1920,
  height: 1080,
};
const audio: Rung = {
  id: 'a0',
  kind: 'audio',
  codecs: 'mp4a.40.2',
  bandwidth: 130_000,
  averageBandwidth: 128_000,
  sampleRate: 48_000,
  channels: 2,
  language: 'en',
};
const ladder = (rungs: readonly Rung[], rest: Partial<Ladder> = {}): Ladder => ({
  container: 'fmp4',
  layout: 'separate',
  frameRate: { n: 25, d: 1 },
  targetDuration: 6,
  ...rest,
  rungs,
});
const planned = (rungs: readonly Rung[], rest?: Partial<Ladder>): EncodePlan => {
  const plan = planEncode(ladder(rungs, rest));
  if ('refused' in plan) throw new Error(plan.refused);
  return plan;
};

describe('planEncode', () => {
  it('uses codec, profile, size and bit rate of the rung, and raises a level that is too low', () => {
    const { videos } = planned([video]);
    expect(videos).toEqual([{ ...videos[0], codec: 'h264', tag: 'avc1', profile: 'high', level: '4.0' }]);
    expect(videos[0]).toMatchObject({ width: 1920, height: 1080, kbps: 5000, timescale: 25_000 });
    const small = { ...video, codecs: 'avc1.42e01f', width: 427, height: 241, averageBandwidth: 0, bandwidth: 300_000 };
    const encoded = { profile: 'baseline', level: '3.1', width: 426, height: 240, kbps: 300 };
    expect(planned([small]).videos[0]).toMatchObject(encoded);
    expect(planned([{ ...video, codecs: 'avc1.4D401F' }]).videos[0]).toMatchObject({ profile: 'main', level: '4.0' });
  });

  it('uses the timescale of the content if a frame is a whole number of ticks', () => {
    const timescaleAt = (frameRate: Ladder['frameRate'], timescale: number) =>
      planned([{ ...video, timescale }], { frameRate }).videos[0]!.timescale;
    expect(timescaleAt({ n: 25, d: 1 }, 12_800)).toBe(12_800);
    expect(timescaleAt({ n: 30_000, d: 1001 }, 90_000)).toBe(90_000);
    expect(timescaleAt({ n: 24_000, d: 1001 }, 90_000)).toBe(24_000);
  });

  it('limits the bit rate in both directions', () => {
    const wild = { ...video, width: 320, height: 180, averageBandwidth: 90_000_000 };
    expect(planned([wild]).videos[0]!.kbps).toBe(288);
    expect(planned([{ ...video, averageBandwidth: 1 }]).videos[0]!.kbps).toBe(100);
  });

  it('shares one audio encode between languages', () => {
    const plan = planned([video, audio, { ...audio, id: 'a1', language: 'sv' }]);
    expect(plan.audios.length).toBe(1);
    expect(plan.rungs).toEqual([
      { id: 'v0', video: 0 },
      { id: 'a0', audio: 0 },
      { id: 'a1', audio: 0 },
    ]);
  });

  it('plans video and audio for a muxed rung, within its bit rate', () => {
    const muxed = { ...video, kind: 'muxed', codecs: 'avc1.64001e, mp4a.40.2', sampleRate: 44_100 } as const;
    const plan = planned([muxed], { layout: 'muxed' });
    expect(plan.videos[0]!.kbps).toBe(4872);
    expect(plan.audios).toEqual([{ codec: 'aac', sampleRate: 44_100, channels: 2, kbps: 128, frameSamples: 1024 }]);
    expect(plan.rungs).toEqual([{ id: 'v0', video: 0, audio: 0 }]);
  });

  it('refuses codecs without an encoder', () => {
    expect(planEncode(ladder([{ ...video, codecs: 'av01.0.04M.08' }]))).toEqual({
      codecs: 'av01.0.04M.08',
      refused: naming('av01.0.04M.08', 'H.264', 'H.265'),
    });
    expect(planEncode(ladder([{ ...audio, codecs: '' }]))).toEqual({
      codecs: '',
      refused: naming('AAC', 'AC-3', 'E-AC-3'),
    });
  });
});

it('refuses content below 5 frames per second, and plans the rates from there on', () => {
  const at = (n: number, d = 1) => planEncode(ladder([video, audio], { frameRate: { n, d } }));
  expect(at(4)).toMatchObject({ refused: naming('5 frames per second', 4) });
  expect(at(2500, 1001)).toMatchObject({ refused: naming('2.5') });
  for (const [n, d] of [[5], [5000, 1001], [10], [12], [25, 2], [15_000, 1001]] as const)
    expect(at(n, d)).not.toHaveProperty('refused');
});

describe('ladderKey', () => {
  it('changes with everything that affects the media, and with nothing else', () => {
    const key = ladderKey(ladder([video, audio]));
    expect(ladderKey(ladder([video, { ...audio, language: 'fi', name: 'Finska' }]))).toBe(key);
    expect(ladderKey(ladder([video, audio], { targetDuration: 4 }))).toBe(key);
    expect(ladderKey(ladder([video, { ...audio, sampleRate: 44_100 }]))).not.toBe(key);
    expect(ladderKey(ladder([video, audio], { container: 'ts' }))).not.toBe(key);
    expect(ladderKey(ladder([video, audio], { frameRate: { n: 50, d: 1 } }))).not.toBe(key);
  });

  it('does not appear in media ids', () => {
    const some = ladder([video, audio]);
    expect(mediaId('creative', 'https://ads.example/promo.mp4', some)).toMatch(/^[0-9a-f]{32}$/);
    expect(mediaId('creative', 'x', some)).not.toBe(mediaId('slate', 'x', some));
  });
});

describe('h264Level', () => {
  it.each([
    [640, 360, 30, 800, '3.0'],
    [640, 360, 60, 800, '3.1'],
    [1280, 720, 30, 3000, '3.1'],
    [1280, 720, 60, 3000, '3.2'],
    [1920, 1080, 30, 5000, '4.0'],
    [1920, 1080, 60, 8000, '4.2'],
    [640, 360, 30, 9500, '3.1'],
  ])('%d × %d at %d fps and %d kbit/s needs level %s', (width, height, framesPerSecond, kbps, level) => {
    expect(h264Level({ width, height, framesPerSecond, kbps, declaredLevel: Number.NaN })).toBe(level);
    expect(h264Level({ width, height, framesPerSecond, kbps, declaredLevel: 51 })).toBe('5.1');
  });
});
