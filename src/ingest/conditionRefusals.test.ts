// Creatives that nothing can be made of: each says why in one sentence.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Conditioning, openConditioning, testLadder, testSource } from '../../test/conditioning.ts';
import { createFfmpeg } from '../adapters/ffmpeg.ts';

let bench: Conditioning;
beforeAll(async () => {
  bench = await openConditioning();
});
afterAll(() => bench.close());

const ladder = testLadder({ n: 25, d: 1 }, 48_000);

describe('what can not be used says why', () => {
  const playlist = '#EXTM3U\n#EXTINF:4,\nfile:///etc/hostname\n';
  it.each([
    ['garbage.mp4', Buffer.from('\u0000garbage'.repeat(500)), /^it is no video file that can be read \(Invalid data/],
    ['page.mp4', '<!doctype html><p>Not here', 'it is a web page or XML, not a video file'],
    ['empty.mp4', '', 'the file is empty'],
    ['playlist.mp4', playlist, /^its manifest can't be used: /],
    ['hidden.mp4', `\n;${playlist}`, /^it is no video file that can be read/],
  ])('%s', async (name, content, reason) => {
    await bench.write(name, content);
    expect(await bench.condition(name, ladder)).toEqual({ state: 'failed', reason: expect.stringMatching(reason) });
  });

  it.each([
    ['sound.mp4', ['-f', 'lavfi', '-i', 'sine', '-t', '2'], 'it has sound but no video'],
    ['blink.mp4', testSource(0.2), /^it lasts 0\.2\d? s; half a second is the least$/],
    [
      'endless.mp4',
      ['-f', 'lavfi', '-i', 'color=s=32x32:r=1', '-t', '700', '-c:v', 'libx264'],
      /^it lasts 700 s; 600 s is the most$/,
    ],
  ])('%s', async (name, args, reason) => {
    await bench.make(name, ...args);
    expect(await bench.condition(name, ladder)).toEqual({ state: 'failed', reason: expect.stringMatching(reason) });
  });

  it('a file that is cut off', async () => {
    await bench.make('whole.mp4', ...testSource(6), '-movflags', 'faststart');
    const bytes = await readFile(join(bench.folder, 'whole.mp4'));
    await bench.write('cut.mp4', bytes.subarray(0, bytes.length * 0.6));
    const state = await bench.condition('cut.mp4', ladder);
    expect(state).toEqual({
      state: 'failed',
      reason: expect.stringMatching(/^the file is cut off: it says 6\.0 s and holds 3\.\d s$/),
    });
  });

  it('a ladder for which there is no encoder, an absent file, an absent encoder', async () => {
    const rungs = ladder.rungs.map((rung) => ({ ...rung, codecs: rung.kind === 'audio' ? 'opus' : rung.codecs }));
    expect(await bench.condition('any.mp4', { ...ladder, rungs })).toMatchObject({ reason: /^no encoder for opus/ });
    expect(await bench.condition('absent.mp4', ladder)).toMatchObject({
      reason: 'it could not be fetched: answered 404',
    });
    const bare = await openConditioning({ ffmpeg: createFfmpeg({ ffmpegPath: 'no-such-program' }) });
    expect(await bare.condition('any.mp4', ladder)).toMatchObject({
      reason: /^ffmpeg is not installed or does not run/,
    });
    expect(await bare.library.slate(ladder)).toMatchObject({ state: 'failed' });
    await bare.close();
  });

  it('leaves nothing behind', async () => {
    expect((await readdir(join(bench.folder, 'media'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
