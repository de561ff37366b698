// SPDX-License-Identifier: Apache-2.0
// Players that know nothing of guided insertion play the same URLs without an error, and show slate in the breaks.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { expectSmoothPlayback } from '../expectSmoothPlayback.ts';
import { startLinearServers } from '../linearServers.ts';
import { openPlayers } from '../players.ts';

/** At least one break and the content around it. */
const SECONDS = 24;

const servers = await opened(startLinearServers({ channels: { guided: { insertion: 'guided' } } }));
const players = await opened(openPlayers());

test.each([
  ['video.js', 'hls'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const)('%s plays %s over a break', async (player, format) => {
  const mediaURL = await servers.open('guided', format);
  const report = await players.playUntil(player, mediaURL, `seen.to - seen.from > ${SECONDS}`, { timeoutMs: 120_000 });
  expect(report.to - report.from!).toBeGreaterThan(SECONDS);
  expectSmoothPlayback(report);
});

test('ffmpeg reads HLS over a break', async () => {
  const input = await servers.open('guided', 'hls');
  const ffmpeg = spawn('ffmpeg', [
    '-nostdin',
    '-v',
    'error',
    '-http_persistent',
    '0',
    '-i',
    input,
    '-t',
    `${SECONDS}`,
    '-c',
    'copy',
    '-f',
    'null',
    '-',
  ]);
  expect(await text(ffmpeg.stderr)).toBe('');
});
