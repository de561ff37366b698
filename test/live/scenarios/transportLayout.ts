// SPDX-License-Identifier: Apache-2.0
// MPEG-TS content with unusual PIDs: ads and slate use the same PIDs, so libavformat reads the channel as one video stream
// and one audio stream.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { adSource, item, type Stage, titlesOf } from '../stage.ts';

const LAYOUT = 'mpegts_start_pid=481:mpegts_pmt_start_pid=480:mpegts_service_id=7:mpegts_transport_stream_id=9';

type Probed = {
  readonly programs: readonly { readonly program_id: number; readonly pmt_pid: number }[];
  readonly streams: readonly { readonly id: string; readonly codec_type: string; readonly nb_read_packets: string }[];
};

async function probe(bytes: Uint8Array): Promise<{ found: Probed; decoderErrors: string }> {
  const show = ['-count_packets', '-show_programs', '-show_streams', '-of', 'json'];
  const ffprobe = spawn('ffprobe', ['-v', 'warning', '-threads', '1', '-f', 'mpegts', ...show, '-']);
  ffprobe.stdin.on('error', () => {}); // ffprobe may close its input early; if it fails, stderr states the reason
  ffprobe.stdin.end(bytes);
  const [json, decoderErrors] = await Promise.all([text(ffprobe.stdout), text(ffprobe.stderr)]);
  return { found: JSON.parse(json || '{"programs":[],"streams":[]}') as Probed, decoderErrors };
}

export async function adsUseTheContentLayout(stage: Stage): Promise<void> {
  const [video, spot] = await Promise.all([
    stage.video({ seconds: 8, container: 'ts', layout: LAYOUT }),
    stage.spot(4),
  ]);
  stage.adHost.offer('/layout', () => [{ id: 'four', seconds: 4, url: spot }]);
  // A break at the end too: where content follows content, its continuity counters jump.
  const cues = [4, 8].map((spliceTime) => ({ spliceTime, maxDuration: 6 }));
  await stage.air('layout', [item(video, ...cues)], { adSource: adSource(stage.adHost, '/layout') });
  const viewer = await stage.watch('layout', { dash: false });
  const filled = async () => (await stage.breaks(viewer)).filter(({ at }) => at + 8000 < stage.clock.now());
  await viewer.until('two breaks have an ad', async () => {
    return (await filled()).filter((one) => titlesOf(one).length > 0).length >= 2;
  });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);

  const listed = [...viewer.listed.get('v0')!.values()].sort((a, b) => a.number - b.number);
  expect(new Set(listed.map(({ discontinuity }) => discontinuity)).size).toBeGreaterThan(5);
  const bytes = Buffer.concat(listed.map(({ uri }) => viewer.media.get(uri)!));
  const { found, decoderErrors } = await probe(bytes);
  expect(found.programs.map(({ program_id, pmt_pid }) => [program_id, pmt_pid])).toEqual([[7, 480]]);
  expect(found.streams.map(({ id, codec_type }) => [id, codec_type])).toEqual([
    ['0x1e1', 'video'],
    ['0x1e2', 'audio'],
  ]);
  const seconds = listed.reduce((sum, { duration }) => sum + duration, 0) / 1e6;
  expect(Number(found.streams[0]!.nb_read_packets)).toBe(Math.round(25 * seconds));
  // Timestamps restart at each discontinuity, which only the playlist signals.
  expect(decoderErrors.split('\n').filter((line) => !line.endsWith('out of order'))).toEqual(['']);
}
