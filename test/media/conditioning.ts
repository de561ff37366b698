// SPDX-License-Identifier: Apache-2.0
// For tests of conditioning: a server of creatives, a library and worker that condition them, and functions that read every
// segment of an asset with Midroll's own readers and with ffmpeg.

import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '../../demo/listen.ts';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../src/adapters/http/httpOrigin.ts';
import { createFfmpeg } from '../../src/adapters/media/ffmpeg.ts';
import { createMediaFiles } from '../../src/adapters/media/mediaFiles.ts';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import type { CreativeSource } from '../../src/ads/creative/creative.ts';
import { openSqlite } from '../../src/database.ts';
import type { CreativeJobs } from '../../src/ingest/creatives/creativeJobs.ts';
import { createCreativeLibrary } from '../../src/ingest/creatives/creativeLibrary.ts';
import { type CreativeWorkerOptions, createCreativeWorker } from '../../src/ingest/creatives/creativeWorker.ts';
import type { MediaStore } from '../../src/ingest/package/mediaStore.ts';
import { findBox } from '../../src/mp4/boxes.ts';
import { readFragment } from '../../src/mp4/fragments.ts';
import { readTransport } from '../../src/mpegts/readTransport.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import type { Asset, Rendition } from '../../src/timeline/asset/asset.ts';
import { segmentUrl } from '../../src/timeline/asset/segmentUrl.ts';
import type { Ladder, Rung } from '../../src/timeline/ladder/ladder.ts';
import { encodeOnce } from './encodeOnce.ts';

const execute = promisify(execFile);
const silentLog = { info: () => undefined, warn: () => undefined };

/** A library and a worker, with their own queue in memory and media store, or with those of another. */
export async function openConditioning(
  overrides: Partial<CreativeWorkerOptions> & { readonly mediaStore?: MediaStore; readonly jobs?: CreativeJobs } = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'conditioning-'));
  const server = await startServer((request, response) => {
    const path = join(folder, basename(request.url!.replace(/\?.*/, '')));
    stat(path).then(
      () => createReadStream(path).pipe(response),
      () => response.writeHead(404).end(),
    );
  });
  const files = createMediaFiles({ dataDir: folder });
  const origin = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }));
  const sql = await openSqlite(':memory:');
  const options: CreativeWorkerOptions = {
    mediaStore: files,
    jobs: sqlCreatives(sql),
    now: () => millis(Date.now()),
    timers: systemTimers,
    origin,
    ffmpeg: createFfmpeg(),
    concurrency: 1,
    log: silentLog,
    onSettled: () => void library.poll(),
    ...overrides,
  };
  const worker = createCreativeWorker(options);
  const library = createCreativeLibrary({ ...options, warn: () => undefined, onEnqueued: worker.wake });
  const sourceOf = (name: string, mimeType = 'video/mp4'): CreativeSource => ({
    url: `${server.url}/${name}`,
    mimeType,
  });
  return {
    folder,
    files,
    origin,
    jobs: options.jobs,
    library,
    worker,
    sourceOf,
    /** Makes a source file with ffmpeg. */
    make: (name: string, ...args: string[]) => encodeOnce(folder, [...args, name]),
    write: (name: string, content: string | Uint8Array) => writeFile(join(folder, name), content),
    async condition(name: string, ladder: Ladder, mimeType?: string) {
      library.prepare(name, sourceOf(name, mimeType), ladder);
      return library.settled(name, ladder);
    },
    async close() {
      library.close();
      await worker.stop();
      await sql.close();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}
export type Conditioning = Awaited<ReturnType<typeof openConditioning>>;

/** ffmpeg arguments for a test picture with beeps. */
export const testSource = (seconds: number, size = '160x90', rate = '30'): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}`, '-f', 'lavfi', '-i', `sine=f=440:b=4:r=44100`],
  ...['-t', `${seconds}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
];

const base = { bandwidth: 200_000, averageBandwidth: 150_000 };
const sizes = [
  { width: 160, height: 90 },
  { width: 128, height: 72 },
];
export function testLadder(
  frameRate: FrameRate,
  sampleRate: number,
  container: Ladder['container'] = 'fmp4',
  layout: Ladder['layout'] = 'separate',
): Ladder {
  const isMuxed = layout === 'muxed';
  const videos = sizes.map(
    (size, index): Rung => ({
      ...{ id: `v${index}`, kind: isMuxed ? 'muxed' : 'video', ...base, ...size },
      codecs: isMuxed ? 'avc1.64000c,mp4a.40.2' : 'avc1.64000c',
      ...(isMuxed ? { sampleRate, channels: 2 } : {}),
    }),
  );
  const audio: Rung = { id: 'a0', kind: 'audio', codecs: 'mp4a.40.2', ...base, sampleRate, channels: 2 };
  const rungs = [
    ...(layout === 'audioOnly' ? [] : videos),
    ...(layout === 'separate' || layout === 'audioOnly' ? [audio] : []),
  ];
  return { container, layout, frameRate, targetDuration: 3, rungs };
}

/** The initialization section and the segments of a rendition, as viewers receive them. */
export async function download({ files }: Conditioning, rendition: Rendition): Promise<Uint8Array[]> {
  const track = rendition.tracks[0]!;
  const urls = Array.from({ length: track.borders.length - 1 }, (_, index) => segmentUrl(track, index).url);
  const pieces: Uint8Array[] = [];
  for (const url of track.init ? [track.init.url, ...urls] : urls) {
    const [, , id, frames, rung, name] = url.split('/') as [string, string, string, string, string, string];
    const segment = await files.openSegment(id, frames, rung, name);
    if (segment === undefined) throw new Error(`${url} is listed but does not exist`);
    pieces.push(segment.bytes);
  }
  return pieces;
}

/** Decodes a rendition. @returns the number of decoded video or AAC frames of each stream, and the decoder's warnings */
export async function decode(conditioning: Conditioning, asset: Asset, rendition: Rendition) {
  const path = join(conditioning.folder, `${asset.id}-${rendition.id}.${rendition.container}`);
  await writeFile(path, Buffer.concat(await download(conditioning, rendition)));
  const show = ['-count_frames', '-show_entries', 'stream=codec_type,nb_read_frames', '-of', 'csv=p=0'];
  const { stdout, stderr } = await execute('ffprobe', ['-v', 'warning', '-threads', '2', ...show, path]);
  const counts = stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(',') as [string, string]);
  return { frames: Object.fromEntries(counts.map(([type, count]) => [type, Number(count)])), warnings: stderr };
}

/** The start and end of each segment in each of its tracks (two if it is muxed), in ticks, as its bytes state them. */
export async function measure(conditioning: Conditioning, rendition: Rendition): Promise<[number, number][][]> {
  const pieces = await download(conditioning, rendition);
  if (rendition.container === 'ts') return pieces.map(measureTransport);
  return pieces.slice(1).map((bytes) => {
    const moof = findBox(bytes, ['moof'])!;
    return readFragment(bytes.subarray(moof.start)).map(({ decodeTime, durations }) => [
      decodeTime,
      decodeTime + durations.reduce((sum, duration) => sum + duration, 0),
    ]);
  });
}

/** Video (or the only stream) first. The end is the start of the last access unit. */
function measureTransport(bytes: Uint8Array): [number, number][] {
  const { streams, packets } = readTransport(bytes)!;
  return streams.map(({ pid }) => {
    const times = packets.filter((packet) => packet.pid === pid).map(({ pts }) => pts!);
    return [Math.min(...times), Math.max(...times)];
  });
}
