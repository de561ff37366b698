// SPDX-License-Identifier: Apache-2.0
// ffmpeg as a player, in real time. From any point of the loop it plays content, ads and slate without an error.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Stage } from '../stage.ts';
import { airShortItems } from './twoViewers.ts';

/** Seconds at which ffmpeg joins; it starts with content, ads or slate. */
const JOINS = [0, 4, 8, 12, 16, 20];
/** Seconds from the first join to the end: two loops of the channel. */
const TOTAL = 40;

/** Plays from the start of the window. @returns what ffmpeg wrote to stderr */
async function playInFfmpeg({ clock }: Stage, url: string, wait: number, seconds: number): Promise<string> {
  await clock.sleep(wait * 1000);
  // Without keep-alive: ffmpeg reports an error when it changes hosts on one connection.
  const options = ['-nostdin', '-v', 'error', '-threads', '1', '-http_persistent', '0', '-live_start_index', '0'];
  const player = spawn('ffmpeg', [...options, '-i', url, '-map', '0:v:0', '-map', '0:a:0', '-f', 'null', '-']);
  const ended = clock.sleep(seconds * 1000).then(() => player.kill('SIGINT'));
  const errors = await text(player.stderr);
  await ended;
  return errors;
}

/** ffmpeg's demuxer keeps the first init section, so all later segments must decode with it. */
export async function ffmpegPlaysFromAnyPoint(stage: Stage): Promise<void> {
  await airShortItems(stage);
  const { session } = await stage.watch('short', { query: 'viewer=anna', fetches: false });
  const master = `${stage.midroll.liveUrl}/hls/short/master.m3u8?sid=${session}`;
  const played = await Promise.all(JOINS.map((wait) => playInFfmpeg(stage, master, wait, TOTAL - wait)));
  expect(played).toEqual(JOINS.map(() => ''));
}
