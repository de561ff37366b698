// SPDX-License-Identifier: Apache-2.0
// The samples of Midroll's own movie fragments and of those of its encoder (ISO/IEC 14496-12 §8.8). Anything that those
// never contain is an error. Fragments of other origin: readFragmentTimes.ts and readSamples.ts.
import { type Box, findBox, readBoxes, readUint32 } from './boxes.ts';
import { boxFlags, NON_SYNC, optionalFields, readDecodeTime, readTrackHeader } from './trackFragment.ts';

type FragmentTrack = {
  readonly trackId: number;
  /** `tfdt`: the decode time of the first sample, in the track's timescale (§8.8.12). */
  readonly decodeTime: number;
  readonly sizes: readonly number[];
  readonly durations: readonly number[];
  readonly isSync: readonly boolean[];
  /** Presentation time minus decode time of each sample. */
  readonly compositionOffsets: readonly number[];
  /** The position of the first sample, counted from the first byte of `moof`. The others follow it. */
  readonly dataOffset: number;
};

/**
 * The tracks of the first `moof` in the bytes. Defaults must be in `tfhd` (§8.8.7), not in `trex`.
 * @throws if there is no complete `moof`, or if it contains something that the encoder never writes
 */
export function readFragment(bytes: Uint8Array): FragmentTrack[] {
  const moof = findBox(bytes, ['moof']);
  if (moof === undefined || moof.end > bytes.length) throw new Error('the bytes must contain a complete moof box');
  return readBoxes(bytes, moof.body, moof.end)
    .filter((box) => box.type === 'traf')
    .map((traf) => readTrack(bytes, traf));
}

function readTrack(bytes: Uint8Array, traf: Box): FragmentTrack {
  const header = readTrackHeader(bytes, traf);
  const decodeTime = readDecodeTime(bytes, traf);
  if (header === undefined || decodeTime === undefined) throw new Error('a track fragment must have tfhd and tfdt');
  if (header.baseDataOffset !== undefined)
    throw new Error('tfhd must not have a base_data_offset; offsets count from moof');
  const track = { sizes: [] as number[], durations: [] as number[], isSync: [] as boolean[] };
  const compositionOffsets: number[] = [];
  let dataOffset: number | undefined;
  let dataEnd = 0;
  for (const trun of readBoxes(bytes, traf.body, traf.end).filter((box) => box.type === 'trun')) {
    const count = readUint32(bytes, trun.body + 4);
    const take = optionalFields(bytes, boxFlags(bytes, trun), trun.body + 8, trun.end);
    const runOffset = take(0x1) ?? dataEnd;
    const firstFlags = take(0x4);
    dataOffset ??= runOffset;
    if (dataEnd !== 0 && runOffset !== dataEnd) throw new Error('the runs of a track fragment must be contiguous');
    dataEnd = runOffset;
    for (let i = 0; i < count; i += 1) {
      track.durations.push(take(0x100) ?? header.duration ?? 0);
      const size = take(0x200) ?? header.size ?? 0;
      const flags = take(0x400) ?? (i === 0 ? firstFlags : undefined) ?? header.flags ?? 0;
      track.sizes.push(size);
      track.isSync.push((flags & NON_SYNC) === 0);
      compositionOffsets.push((take(0x800) ?? 0) | 0);
      dataEnd += size;
    }
  }
  return { trackId: header.trackId, decodeTime, ...track, compositionOffsets, dataOffset: dataOffset ?? 0 };
}
