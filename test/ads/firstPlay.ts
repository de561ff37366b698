// SPDX-License-Identifier: Apache-2.0
// Measures the time from the moment an ad server first returns an ad until its first viewer has it.
import { join } from 'node:path';
import { writeVast } from '../live/adHost.ts';
import { item, type Stage, type TracedBreak } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { encodeOnce } from '../media/encodeOnce.ts';

export type VideoRung = { readonly height: number; readonly kbps: number };

/** A 16:9 video with little motion, in segments of two seconds. @returns the path of its manifest */
export async function makeLadderVideo(folder: string, name: string, seconds: number, rungs: readonly VideoRung[]) {
  const videos = rungs.flatMap(({ height, kbps }, index) => [
    ...['-map', '0:v', `-s:v:${index}`, `${(height * 16) / 9}x${height}`, `-b:v:${index}`, `${kbps}k`],
  ]);
  const variants = [...rungs.map((_, index) => `v:${index},agroup:sound`), 'a:0,agroup:sound'].join(' ');
  await encodeOnce(join(folder, name), [
    ...['-f', 'lavfi', '-i', `smptebars=s=640x360:r=25:d=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=f=220:r=48000:d=${seconds}`],
    ...[...videos, '-map', '1:a', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0'],
    ...['-g', '50', '-keyint_min', '50', '-sc_threshold', '0', '-c:a', 'aac', '-ac', '2', '-b:a', '128k'],
    ...['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_time', '1.999', '-hls_segment_type', 'fmp4'],
    ...['-master_pl_name', 'master.m3u8', '-var_stream_map', variants],
    ...['-hls_segment_filename', 'r%v-%d.m4s', 'r%v.m3u8'],
  ]);
  return `/${name}/master.m3u8`;
}

/** A typical agency file: a progressive MP4 of 1920×1080 and 30 s with 29.97 frames per second, 44.1 kHz and motion. */
export async function makeAgencySpot(folder: string, name: string): Promise<string> {
  await encodeOnce(folder, [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=1920x1080:r=30000/1001:d=30'],
    ...['-f', 'lavfi', '-i', 'sine=f=500:r=44100:d=30'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '8M', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
    ...['-movflags', '+faststart', `${name}.mp4`],
  ]);
  return `/${name}.mp4`;
}

type FirstPlay = {
  readonly viewer: Viewer;
  /** Seconds before the break at which the ad server first returned the ad. */
  readonly announced: number;
  /** The break in the viewer's trace, after it started. */
  readonly shown: TracedBreak;
  /** Seconds from then until the viewer had the ad's first segment in every rung; undefined when it was not shown. */
  readonly secondsToFirstSegment: number | undefined;
};

const BREAK = 30;
/** Milliseconds. Sound is dated at its first frame, which is beside the border. */
const AUDIO_FRAME = 26;

/**
 * Plays a channel whose first break starts `lead` seconds after the viewer joins.
 * @param url of the ad's only media file
 */
export async function playFirst(
  stage: Stage,
  content: string,
  contentSeconds: number,
  url: string,
  lead: number,
): Promise<FirstPlay> {
  const id = `first${lead}`;
  let namedAt = Number.POSITIVE_INFINITY;
  stage.adHost.on(`/${id}`, (response) => {
    namedAt = Math.min(namedAt, stage.clock.now());
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(writeVast([{ id: 'never seen', seconds: BREAK, url }]));
  });
  const cue = { spliceTime: contentSeconds, maxDuration: BREAK };
  // The slate is made before the channel opens.
  const startDate = new Date(stage.clock.now() + (lead - contentSeconds) * 1000).toISOString();
  await stage.midroll.create('playlists', {
    ...{ id, status: 'enabled', startDate, contents: [item(content, cue)] },
  });
  const adSource = { url: `${stage.adHost.url}/${id}` };
  await stage.midroll.create('channels', {
    id,
    state: 'enabled',
    apiKey: 'key',
    playlistId: id,
    playlistSize: 20,
    adSource,
  });
  const viewer = await stage.watch(id);
  let shown: TracedBreak | undefined;
  await viewer.until('a break has begun', async () => {
    const breaks = await stage.breaks(viewer);
    shown = breaks.find(({ at }) => stage.clock.now() > at);
    return shown !== undefined;
  });
  const { at, ads } = shown!;
  const startsAt = ads.find(({ outcome }) => outcome === 'stitched')?.startsAt;
  if (startsAt === undefined)
    return { viewer, announced: (at - namedAt) / 1000, shown: shown!, secondsToFirstSegment: undefined };
  const first = Date.parse(startsAt);
  const hasIt = () =>
    viewer.rungs.every((rung) =>
      [...viewer.listed.get(rung)!.values()].some(
        ({ date, uri }) => Math.abs(date - first) <= AUDIO_FRAME && viewer.media.has(uri),
      ),
    );
  while (!hasIt()) await stage.clock.sleep(100);
  return {
    viewer,
    announced: (at - namedAt) / 1000,
    shown: shown!,
    secondsToFirstSegment: (stage.clock.now() - namedAt) / 1000,
  };
}
