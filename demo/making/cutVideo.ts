// SPDX-License-Identifier: Apache-2.0
// Cuts the output of encodeVideo into an init segment and numbered segments, and checks every border.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Box, findBox, joinBytes, readBoxes, readUint32, readUint64 } from '../../src/mp4/boxes.ts';
import { AAC_FRAME, adBorders, audioBorder, secondsToFrames } from '../../src/timeline/asset/frameGrid.ts';
import { qualities, rate, sampleRate } from './encode.ts';
import type { Picture } from './picture.ts';

export type CutTrack = {
  /** The name of its folder. */
  readonly id: string;
  readonly kind: 'video' | 'audio';
  readonly codecs: string;
  readonly timescale: number;
  /** Starts of the segments and the end of the last one, in ticks of the timescale. */
  readonly borders: readonly number[];
  readonly sizes: readonly number[];
  readonly width?: number;
  readonly height?: number;
};

/** The decode time of the first fragment (ISO/IEC 14496-12 8.8.12), ticks. */
function decodeTime(bytes: Uint8Array): number {
  const tfdt = findBox(bytes, ['moof', 'traf', 'tfdt']);
  if (!tfdt) throw new Error('Segment without tfdt');
  return bytes[tfdt.body] === 1 ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4);
}

const part = (bytes: Uint8Array, types: readonly string[]): Uint8Array =>
  joinBytes(
    readBoxes(bytes).flatMap((box: Box) => (types.includes(box.type) ? [bytes.subarray(box.start, box.end)] : [])),
  );

function videoSegments(bytes: Uint8Array): Uint8Array[] {
  const boxes = readBoxes(bytes).filter(({ type }) => type === 'moof' || type === 'mdat');
  return boxes.flatMap((box, index) => (box.type === 'moof' ? [bytes.subarray(box.start, boxes[index + 1]!.end)] : []));
}

function avcCodec(init: Uint8Array): string {
  const at = Buffer.from(init).indexOf('avcC') + 4;
  return `avc1.${Buffer.from(init.subarray(at + 1, at + 4)).toString('hex')}`;
}

async function publish(track: Omit<CutTrack, 'sizes'>, init: Uint8Array, segments: Uint8Array[], folder: string) {
  const starts = segments.map(decodeTime);
  if (starts.join() !== track.borders.slice(0, -1).join()) {
    throw new Error(`${track.id}: segments must start at ${track.borders.join()}; got ${starts.join()}`);
  }
  await mkdir(join(folder, track.id), { recursive: true });
  await writeFile(join(folder, track.id, 'init.mp4'), init);
  for (const [index, segment] of segments.entries())
    await writeFile(join(folder, track.id, `${index + 1}.m4s`), segment);
  return { ...track, sizes: segments.map((segment) => segment.length) };
}

/** @param from the folder of the encoded tracks @param folder the folder for the segments */
export async function cutVideo(picture: Picture, from: string, folder: string): Promise<CutTrack[]> {
  const frames = adBorders(secondsToFrames(picture.seconds, rate), rate);
  const tracks: CutTrack[] = [];
  for (const [index, { width, height }] of qualities.entries()) {
    const bytes = await readFile(join(from, `v${index}.mp4`));
    const init = part(bytes, ['ftyp', 'moov']);
    const size = { width, height, codecs: avcCodec(init), timescale: rate.n * 1000 };
    const borders = frames.map((frame) => frame * rate.d * 1000);
    tracks.push(
      await publish({ id: `v${index}`, kind: 'video', ...size, borders }, init, videoSegments(bytes), folder),
    );
  }
  const init = part(await readFile(join(from, 'a0-init.mp4')), ['ftyp', 'moov']);
  const segments: Uint8Array[] = [];
  for (let number = 1; number < frames.length; number += 1) {
    segments.push(part(await readFile(join(from, `a0-${number}.mp4`)), ['moof', 'mdat']));
  }
  const borders = frames.map((frame) => audioBorder(frame, rate, sampleRate) * AAC_FRAME);
  const sound = { codecs: 'mp4a.40.2', timescale: sampleRate, borders };
  tracks.push(await publish({ id: 'a0', kind: 'audio', ...sound }, init, segments, folder));
  return tracks;
}
