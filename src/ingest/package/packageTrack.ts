// From an encoder's fragmented MP4, read as it is made, to stored segments. It counts: every border is checked, and an
// encode that is not exact to the sample is never published.
import { readBoxes, readUint32 } from '../../mp4/boxes.ts';
import { readFragment } from '../../mp4/fragments.ts';
import { writeFragment } from '../../mp4/writeFragment.ts';
import type { PackagedTrack } from './packagedMedia.ts';
import { type EncodedInit, packageInit } from './packageInit.ts';

/** Where the segments of one encode must lie. */
export type TrackGrid = {
  readonly kind: 'video' | 'audio';
  readonly timescale: number;
  /** Ticks of a sample. */
  readonly unit: number;
  /** Sample numbers on the media's own line; the first is the first stored sample. */
  readonly borders: readonly number[];
};

/** What was encoded is not what was counted. */
export class OffGrid extends Error {
  readonly code = 'OFF_GRID';
}

const LARGEST_BOX = 64 * 1024 * 1024;

/**
 * @param chunks what the encoder writes
 * @param write stores bytes behind those stored before
 * @throws when the encode is not what the grid says
 */
export async function packageTrack(
  chunks: AsyncIterable<Uint8Array>,
  grid: TrackGrid,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<Omit<PackagedTrack, 'file'>> {
  const head: Uint8Array[] = [];
  const [counts, bytes]: [number[], number[]] = [[], []];
  let init: EncodedInit | undefined;
  let [initSize, place] = [0, grid.borders[0]!];
  let [sizes, pieces]: [number[], Uint8Array[]] = [[], []];
  let moof: Uint8Array | undefined;

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
        throw new Error(`timescale ${grid.timescale} was wanted, ${init.timescale} came`);
      initSize = whole.length;
      await write(whole);
    }
    if (box.type !== 'mdat' || moof === undefined || init === undefined) continue;
    const [fragment] = readFragment(moof);
    let at = fragment!.dataOffset - moof.length;
    for (const [index, size] of fragment!.sizes.entries()) {
      const isBorder = sizes.length === 0;
      if (fragment!.durations[index] !== grid.unit || fragment!.compositionOffsets[index] !== 0)
        throw new OffGrid(`sample ${place} lasts ${fragment!.durations[index]} ticks, ${grid.unit} were wanted`);
      if (grid.kind === 'video' && fragment!.isSync[index] !== isBorder)
        throw new OffGrid(`frame ${place} ${isBorder ? 'must' : 'must not'} be a key frame`);
      sizes.push(size);
      pieces.push(box.bytes.subarray(at, at + size));
      at += size;
      place += 1;
      if (place === grid.borders[counts.length + 1]) await flush();
    }
    moof = undefined;
  }
  const wanted = grid.borders.at(-1)!;
  if (init === undefined || place !== wanted || sizes.length > 0)
    throw new OffGrid(`${wanted - grid.borders[0]!} samples were wanted, ${place - grid.borders[0]!} came`);
  const { codecs, timescale, config } = init;
  const told = { codecs, timescale, config: Buffer.from(config).toString('base64') };
  return { kind: grid.kind, ...told, unit: grid.unit, initSize, first: grid.borders[0]!, counts, sizes: bytes };
}

/** The boxes of a growing file, each when it is whole. */
async function* topBoxes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<{ type: string; bytes: Uint8Array }> {
  let waiting: Uint8Array[] = [];
  let held = 0;
  let wanted = 8;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      const all = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting);
      const size = readUint32(all, 0);
      if (size < 8 || size > LARGEST_BOX) throw new Error(`the encoder wrote a box of ${size} bytes`);
      if (size <= held) yield { type: readBoxes(all, 0, size)[0]!.type, bytes: all.subarray(0, size) };
      const rest = size <= held ? all.subarray(size) : all;
      [waiting, held, wanted] = [[rest], rest.length, size <= held ? 8 : size];
    }
  }
}
