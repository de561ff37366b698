// SPDX-License-Identifier: Apache-2.0
// The live origin of the demo with its real encoder: Midroll can play it, its breaks are found, and it returns after a stop.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnEncoder } from '../../../demo/encoder/encoder.ts';
import {
  type EncoderOrigin,
  type EncoderOriginOptions,
  startEncoderOrigin,
} from '../../../demo/encoder/encoderOrigin.ts';
import { findFreePort } from '../../../demo/listen.ts';
import { mediaFolder } from '../../../demo/origin.ts';
import { createEgressGuard } from '../../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../../src/adapters/http/httpOrigin.ts';
import { composeOrigins } from '../../../src/composition/composeOnAir.ts';
import { createChannelAnalyser } from '../../../src/planning/live/analyseChannel.ts';
import { realClock } from '../../clock/testClock.ts';
import { openedInTest } from '../../opened.ts';

async function start(options: EncoderOriginOptions = {}): Promise<EncoderOrigin> {
  const origin = await openedInTest(startEncoderOrigin(0, { isAutomatic: false, ...options }));
  origin.startEncoder();
  return origin;
}

async function analyse({ url }: EncoderOrigin) {
  const clock = realClock();
  const http = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }), { timers: clock.timers });
  const analyser = createChannelAnalyser(
    composeOrigins(http, clock, () => undefined),
    clock.timers,
  );
  const found = await analyser('acme', { sourceManifestUrl: `${url}/master.m3u8` });
  if (found === 'busy') throw new Error('busy');
  return found.sourceManifestUrl;
}

const listed = (origin: EncoderOrigin) => expect.poll(() => origin.listed());
const playlist = async ({ url }: EncoderOrigin, name: string) => (await fetch(`${url}/${name}.m3u8`)).text();
const segmentsOf = (text: string) => text.split('\n').filter((line) => line.endsWith('.m4s'));

test('Midroll can play the encoder, and finds the break that is sent and ended', async () => {
  const origin = await start();
  await listed(origin).toBeGreaterThan(3);
  expect(await analyse(origin)).toMatchObject({
    ...{ isPlayable: true, format: 'hls', serves: 'both', targetDuration: 2, hasDates: true, problems: [], breaks: [] },
    renditions: [
      { kind: 'video', width: 640, height: 360, framesPerSecond: 25 },
      { kind: 'video', width: 384, height: 216 },
      { kind: 'audio', language: 'en' },
    ],
  });
  origin.sendBreak();
  expect(origin.status().breakEndsIn).toBeGreaterThan(0);
  for (const name of ['v0', 'v1', 'a0'])
    await expect.poll(() => playlist(origin, name)).toMatch(/#EXT-X-CUE-OUT:20\n#EXTINF/);
  origin.endBreak();
  expect(origin.status().breakEndsIn).toBeUndefined();
  for (const name of ['v0', 'v1', 'a0'])
    await expect.poll(() => playlist(origin, name)).toMatch(/#EXT-X-CUE-IN\n#EXTINF/);
  // What is listed stays as it is.
  origin.stopEncoder();
  const { breaks } = await analyse(origin);
  expect(breaks).toMatchObject([{ duration: 20, source: 'EXT-X-CUE-OUT', endsAt: expect.any(Number) }]);
});

test('a stopped encoder lists nothing new; a new one counts from 0 with other segments', async () => {
  const origin = await start();
  await listed(origin).toBeGreaterThan(2);
  origin.stopEncoder();
  const before = await playlist(origin, 'v0');
  expect(origin.status()).toMatchObject({ state: 'stopped' });
  origin.sendBreak();
  expect(await playlist(origin, 'v0')).toBe(before);
  origin.startEncoder();
  await listed(origin).toBeGreaterThan(2);
  await expect.poll(() => playlist(origin, 'v0')).toContain('#EXT-X-MEDIA-SEQUENCE:0\n');
  const after = segmentsOf(await playlist(origin, 'v0'));
  for (const name of segmentsOf(before)) {
    expect(after).not.toContain(name);
    expect((await fetch(`${origin.url}/${name}`)).status).toBe(200);
  }
  expect(await analyse(origin)).toMatchObject({ isPlayable: true, problems: [] });
});

test('an encoder ends by itself when its origin is gone', async () => {
  const uploadUrl = `http://127.0.0.1:${await findFreePort(20_000)}/upload/r`;
  const setup = { film: join(mediaFolder, 'hills'), filmSegments: 18, run: 'r', uploadUrl, hasClock: false };
  const reason = await new Promise<string>((resolve) => void spawnEncoder('ffmpeg', setup, resolve));
  expect(reason).not.toBe('');
});

test('states why an encoder did not start', async () => {
  const origin = await start({ ffmpeg: '/no/ffmpeg' });
  await expect
    .poll(() => origin.status())
    .toMatchObject({ state: 'stopped', reason: expect.stringContaining('ENOENT') });
});
