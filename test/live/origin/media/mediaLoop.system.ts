// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { liveMedia } from './liveMedia.ts';
import { type LoopShapeName, loadLoop, type Packaging } from './mediaLoop.ts';

async function framesOf(bytes: Uint8Array): Promise<{ rows: number[][]; errors: string }> {
  const decoder = spawn('ffmpeg', ['-v', 'error', '-copyts', '-i', '-', '-map', '0', '-f', 'framecrc', '-']);
  decoder.stdin.on('error', () => {});
  decoder.stdin.end(bytes);
  const [frames, errors] = await Promise.all([text(decoder.stdout), text(decoder.stderr)]);
  const rows = frames.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(',').map(Number)] : []));
  return { rows, errors };
}

test.each<[Packaging, LoopShapeName, number]>([
  ['cmaf', 'base', 10_000],
  ['cmaf', 'base', 1_790_000_000_000],
  ['ts', 'base', 10_000],
  ['ts', 'base', 95_443_720 - 8000],
  ['muxed', 'base', 10_000],
  ['cmaf', 'ntsc', 10_010],
  ['ts', 'ntsc', 10_010],
  ['cmaf', 'cd', 9600],
  ['cmaf', 'surround', 10_000],
  ['ts', 'surround', 10_000],
  ['cmaf', 'hevc', 10_000],
])('%s, %s, is continuous across the loop from media time %i ms on', async (packaging, shape, mediaMs) => {
  const loop = await loadLoop(packaging, shape);
  for (const rendition of loop.renditions) {
    const media = liveMedia(loop, rendition);
    const numbers = Array.from({ length: 8 }, (_, index) => loop.count - 4 + index);
    const segments = numbers.map((index) => media.segment(index, mediaMs + index * loop.segmentMs, index));
    const bytes = Buffer.concat([...(rendition.init ? [rendition.init] : []), ...segments]);
    const { rows, errors } = await framesOf(bytes);
    expect(errors).toBe('');
    const streams = new Map<number, number[]>();
    for (const [stream, , pts] of rows) streams.set(stream!, [...(streams.get(stream!) ?? []), pts!]);
    expect(streams.size).toBe(rendition.kind === 'muxed' ? 2 : 1);
    for (const times of streams.values()) {
      const steps = new Set(times.slice(1).map((time, index) => time - times[index]!));
      expect([rendition.name, [...steps]]).toEqual([rendition.name, steps.size === 1 ? [...steps] : [1024]]);
    }
  }
});
