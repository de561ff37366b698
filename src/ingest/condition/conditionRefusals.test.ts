// SPDX-License-Identifier: Apache-2.0
// Creatives that cannot be conditioned, and the reasons.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openConditioning, testLadder, testSource } from '../../../test/media/conditioning.ts';
import { naming } from '../../../test/naming.ts';
import { createFfmpeg } from '../../adapters/media/ffmpeg.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { FailedEvent } from '../creatives/creativeWorker.ts';
import { mediaId } from './plan/planEncode.ts';

const failures: FailedEvent[] = [];
const bench = await openConditioning({ onFailed: (event) => void failures.push(event) });
afterAll(() => bench.close());

const ladder = testLadder({ n: 25, d: 1 }, 48_000);

/** Conditions a creative that fails. @returns its fault and the reason in its state */
async function refusal(name: string, on: Ladder = ladder) {
  const state = await bench.condition(name, on);
  const isIt = ({ id }: FailedEvent) => id === mediaId('creative', name, on);
  await expect.poll(() => failures.some(isIt)).toBe(true);
  const { fault, reason, willRetry } = failures.find(isIt)!;
  const again = willRetry ? { retryAt: expect.any(Number) } : {};
  expect(state).toEqual({ state: 'failed', fault, reason, ...again });
  return { fault, reason };
}

describe('a creative that cannot be conditioned has a fault and a reason', () => {
  const playlist = '#EXTM3U\n#EXTINF:4,\nfile:///etc/hostname\n';
  it.each([
    ['garbage.mp4', Buffer.from('\u0000garbage'.repeat(500)), 'UNREADABLE', 'Invalid data'],
    ['page.mp4', '<!doctype html><p>Not here', 'WEB_PAGE', ''],
    ['empty.mp4', '', 'EMPTY_FILE', ''],
    ['playlist.mp4', playlist, 'MANIFEST', ''],
    ['hidden.mp4', `\n;${playlist}`, 'UNREADABLE', ''],
  ])('%s', async (name, content, fault, text) => {
    await bench.write(name, content);
    expect(await refusal(name)).toEqual({ fault, reason: expect.stringContaining(text) });
  });

  it.each([
    ['sound.mp4', ['-f', 'lavfi', '-i', 'sine', '-t', '2'], 'NO_VIDEO', /./],
    ['blink.mp4', testSource(0.2), 'TOO_SHORT', /\b0\.2\d?\b/],
    [
      'endless.mp4',
      ['-f', 'lavfi', '-i', 'color=s=32x32:r=1', '-t', '700', '-c:v', 'libx264'],
      'TOO_LONG',
      /^(?=.*\b600\b).*\b700\b/,
    ],
  ])('%s', async (name, args, fault, numbers) => {
    await bench.make(name, ...args);
    expect(await refusal(name)).toEqual({ fault, reason: expect.stringMatching(numbers) });
  });

  it('an incomplete file', async () => {
    await bench.make('whole.mp4', ...testSource(6), '-movflags', 'faststart');
    const bytes = await readFile(join(bench.folder, 'whole.mp4'));
    await bench.write('cut.mp4', bytes.subarray(0, bytes.length * 0.6));
    expect(await refusal('cut.mp4')).toEqual({
      fault: 'CUT_OFF',
      reason: expect.stringMatching(/^(?=.*\b6\.0\b).*\b3\.\d\b/),
    });
  });

  it('a ladder without an encoder, a missing file, a missing ffmpeg', async () => {
    const rungs = ladder.rungs.map((rung) => ({ ...rung, codecs: rung.kind === 'audio' ? 'opus' : rung.codecs }));
    expect(await refusal('any.mp4', { ...ladder, rungs })).toEqual({ fault: 'NO_ENCODER', reason: naming('opus') });
    expect(await refusal('absent.mp4')).toEqual({ fault: 'NOT_FOUND', reason: naming(404) });
    const bareFailures: FailedEvent[] = [];
    const bare = await openConditioning({
      ffmpeg: createFfmpeg({ ffmpegPath: 'no-such-program' }),
      onFailed: (event) => void bareFailures.push(event),
    });
    expect(await bare.condition('any.mp4', ladder)).toEqual({
      state: 'failed',
      fault: 'NO_FFMPEG',
      reason: naming('ffmpeg'),
      retryAt: expect.any(Number),
    });
    await expect.poll(() => bareFailures.map(({ fault }) => fault)).toContain('NO_FFMPEG');
    expect(await bare.library.slate(ladder)).toMatchObject({ state: 'failed' });
    await bare.close();
  });

  it('and leaves no files', async () => {
    expect((await readdir(join(bench.folder, 'media'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
