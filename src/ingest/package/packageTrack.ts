// SPDX-License-Identifier: Apache-2.0
// Turns the fragmented MP4 of an encoder into stored segments while it is written. Every border is checked: an encode that
// is not exact to the sample is never published.
import { findBox, readBoxes, readUint32 } from '../../mp4/boxes.ts';
import { readFragment } from '../../mp4/fragments.ts';
import { readEsds } from '../../mp4/readCodec.ts';
import { readInit } from '../../mp4/readInit.ts';
import { writeFragment } from '../../mp4/writeFragment.ts';
import { firstNumber, lastNumber } from '../../time/row.ts';
import type { PackagedTrack } from './packagedMedia.ts';

export type TrackGrid = {
  readonly kind: 'video' | 'audio';
  readonly timescale: number;
  /** Ticks per sample. */
  readonly unit: number;
  /** Sample numbers on the media's own timeline. The first border is the first stored sample. */
  readonly borders: readonly number[];
};

class OffGrid extends Error {
  readonly code = 'OFF_GRID';
}

const MAX_BOX_BYTES = 64 * 1024 * 1024;

/**
 * @param chunks the encoder's output
 * @param write appends bytes to the stored file
 * @throws {OffGrid} if the encode does not match the grid
 */
export async function packageTrack(
  chunks: AsyncIterable<Uint8Array>,
  grid: TrackGrid,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Omit<PackagedTrack, 'file'>> {
  const head: Uint8Array[] = [];
  const [counts, bytes]: [number[], number[]] = [[], []];
  let init: ReturnType<typeof packageInit> | undefined;
  let [initSize, place] = [0, firstNumber(grid.borders)];
  let [sizes, pieces]: [number[], Uint8Array[]] = [[], []];
  let moof: Uint8Array | undefined;
  const ticksText = (ticks = 0): string => `${Math.round((1000 * ticks) / grid.timescale)} ms`;
  const lasting = (samples: number): string => ticksText(samples * grid.unit);

  const flush = async (): Promise<void> => {
    const run = { trackId: 1, decodeTime: (place - sizes.length) * grid.unit, sampleDuration: grid.unit };
    const segment = writeFragment(counts.length + 1, [{ ...run, kind: grid.kind, sizes, data: Buffer.concat(pieces) }]);
    await write(segment);
    counts.push(sizes.length);
    bytes.push(segment.length);
    [sizes, pieces] = [[], []];
  };

  for await (const box of topBoxes(chunks)) {
    if (box.type === 'moof') moof = box.bytes;
    else if (box.type === 'ftyp' || box.type === 'moov') head.push(box.bytes);
    if (box.type === 'moov') {
      const whole = Buffer.concat(head);
      init = packageInit(whole);
      if (init.timescale !== grid.timescale)
        throw new Error(`the timescale must be ${grid.timescale}; got ${init.timescale}`);
      initSize = whole.length;
      await write(whole);
    }
    if (box.type !== 'mdat' || moof === undefined || init === undefined) continue;
    const [fragment] = readFragment(moof);
    if (fragment === undefined) throw new Error('a fragment of the encoder must contain a track');
    let at = fragment.dataOffset - moof.length;
    for (const [index, size] of fragment.sizes.entries()) {
      const isBorder = sizes.length === 0;
      if (fragment.durations[index] !== grid.unit || fragment.compositionOffsets[index] !== 0)
        throw new OffGrid(
          `${grid.kind} at ${lasting(place)} must last ${lasting(1)}; got ${ticksText(fragment.durations[index])}`,
        );
      if (grid.kind === 'video' && fragment.isSync[index] !== isBorder)
        throw new OffGrid(`the frame at ${lasting(place)} ${isBorder ? 'must' : 'must not'} be a key frame`);
      sizes.push(size);
      pieces.push(box.bytes.subarray(at, at + size));
      at += size;
      place += 1;
      if (place === grid.borders[counts.length + 1]) await flush();
    }
    moof = undefined;
  }
  const [first, last] = [firstNumber(grid.borders), lastNumber(grid.borders)];
  if (init === undefined || place !== last || sizes.length > 0)
    throw new OffGrid(`the encoded ${grid.kind} must last ${lasting(last - first)}; got ${lasting(place - first)}`);
  const { codecs, timescale } = init;
  const config = Buffer.from(init.config).toString('base64');
  return { kind: grid.kind, codecs, timescale, config, unit: grid.unit, initSize, first, counts, sizes: bytes };
}

/** The boxes of a growing file, each as soon as it is complete. */
async function* topBoxes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ type: string; bytes: Uint8Array }> {
  let buffered: Uint8Array[] = [];
  let length = 0;
  let needed = 8;
  for await (const chunk of chunks) {
    buffered.push(chunk);
    length += chunk.length;
    while (length >= needed) {
      const [only] = buffered;
      const all = only !== undefined && buffered.length === 1 ? only : Buffer.concat(buffered);
      const size = readUint32(all, 0);
      if (size < 8 || size > MAX_BOX_BYTES)
        throw new Error(`a box of the encoder must have 8 to ${MAX_BOX_BYTES} bytes; got ${size}`);
      const [box] = size <= length ? readBoxes(all, 0, size) : [];
      if (box !== undefined) yield { type: box.type, bytes: all.subarray(0, size) };
      const rest = size <= length ? all.subarray(size) : all;
      [buffered, length, needed] = [[rest], rest.length, size <= length ? 8 : size];
    }
  }
}

const SAMPLE_ENTRY = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd'];
/** The offset of the first box in a sample entry (ISO/IEC 14496-12 §12.1.3, §12.2.3), and the box with the configuration. */
const CONFIGURATIONS: Record<string, { readonly at: number; readonly box: string }> = {
  avc1: { at: 78, box: 'avcC' },
  hvc1: { at: 78, box: 'hvcC' },
  hev1: { at: 78, box: 'hvcC' },
  mp4a: { at: 28, box: 'esds' },
  'ac-3': { at: 28, box: 'dac3' },
  'ec-3': { at: 28, box: 'dec3' },
};

/**
 * Facts of an encode, read from its initialization section: an encoder may choose a lower profile than requested. `config` is the
 * decoder configuration: the payload of avcC, hvcC, dac3 or dec3, or the AudioSpecificConfig.
 * @throws unless it is the initialization section of a single H.264, H.265, AAC, AC-3 or E-AC-3 track
 */
function packageInit(init: Uint8Array) {
  const [track, another] = readInit(init) ?? [];
  if (track === undefined || another !== undefined)
    throw new Error('the initialization section of an encode must have exactly one track');
  const format = track.codec.slice(0, 4);
  const known = CONFIGURATIONS[format];
  const stsd = findBox(init, SAMPLE_ENTRY);
  const entry = stsd && findBox(init, [format], stsd.body + 8, stsd.end);
  const found = entry && known && findBox(init, [known.box], entry.body + known.at, entry.end);
  if (known === undefined || found === undefined)
    throw new Error(`the encoder must write one of ${Object.keys(CONFIGURATIONS).join(', ')}; got ${track.codec}`);
  const payload = init.slice(found.body, found.end);
  const config = known.box === 'esds' ? readEsds(payload)?.config : payload;
  if (config === undefined) throw new Error('esds must contain an AudioSpecificConfig');
  return { codecs: track.codec, timescale: track.timescale, config };
}
