// ffmpeg as a player, in real time: wherever it joins, it plays on through content, ads and slate without a complaint.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { Stage } from '../stage.ts';
import { airShortItems } from './twoViewers.ts';

/** Seconds after each other in which ffmpeg joins: it meets content, ads and slate first. */
const JOINS = [0, 4, 8, 12, 16, 20];
/** Seconds after the first joined until the last leaves: two rounds of the channel. */
const LONG = 40;

/** It plays from the beginning of the window. @returns what it complained of */
async function playInFfmpeg({ clock }: Stage, url: string, wait: number, seconds: number): Promise<string> {
  await clock.sleep(wait * 1000);
  // Without keep-alive: it complains of going from one host to another.
  const quiet = ['-nostdin', '-v', 'error', '-threads', '1', '-http_persistent', '0', '-live_start_index', '0'];
  const player = spawn('ffmpeg', [...quiet, '-i', url, '-map', '0:v:0', '-map', '0:a:0', '-f', 'null', '-']);
  const ended = clock.sleep(seconds * 1000).then(() => player.kill('SIGINT'));
  const complaints = await text(player.stderr);
  await ended;
  return complaints;
}

/** Its demuxer keeps the first init section of all, so what follows must not need its own. */
export async function ffmpegPlaysFromAnyPoint(stage: Stage): Promise<void> {
  await airShortItems(stage);
  const { session } = await stage.watch('short', { query: 'viewer=anna', fetches: false });
  const master = `${stage.midroll.liveUrl}/hls/short/master.m3u8?sid=${session}`;
  const played = await Promise.all(JOINS.map((wait) => playInFfmpeg(stage, master, wait, LONG - wait)));
  expect(played).toEqual(JOINS.map(() => ''));
}
