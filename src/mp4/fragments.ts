// Movie fragments (ISO/IEC 14496-12 §8.8): the samples that a `moof` lists. It knows tracks, sizes and times; it
// refuses to know what a sample holds.
import { findBox, readBoxes, readUint32, readUint64 } from './boxes.ts';

export type FragmentTrack = {
  readonly trackId: number;
  /** `tfdt`: the decode time of the first sample, in the track's timescale (§8.8.12). */
  readonly decodeTime: number;
  readonly sizes: readonly number[];
  readonly durations: readonly number[];
  readonly isSync: readonly boolean[];
  /** Presentation minus decode time of each sample. */
  readonly compositionOffsets: readonly number[];
  /** Where the first sample starts, counted from the first byte of `moof`; the others follow it. */
  readonly dataOffset: number;
};

const NON_SYNC = 0x10000; // sample_is_non_sync_sample (§8.8.3.1)

/**
 * The tracks of the first `moof` in the bytes.
 * The fragments read are Midroll's own, or its encoder's: each tells its own defaults in `tfhd` (§8.8.7), not in `trex`.
 * @throws when there is none, or when it says what those never say
 */
export function readFragment(bytes: Uint8Array): FragmentTrack[] {
  const moof = findBox(bytes, ['moof']);
  if (moof === undefined || moof.end > bytes.length) throw new Error('a movie fragment was wanted, no whole moof came');
  return readBoxes(bytes, moof.body, moof.end)
    .filter((box) => box.type === 'traf')
    .map((traf) => readTrack(bytes, traf.body, traf.end));
}

function readTrack(bytes: Uint8Array, start: number, end: number): FragmentTrack {
  const tfhd = findBox(bytes, ['tfhd'], start, end);
  const tfdt = findBox(bytes, ['tfdt'], start, end);
  if (tfhd === undefined || tfdt === undefined) throw new Error('a track fragment lacks tfhd or tfdt');
  const { trackId, defaults } = readHeader(bytes, tfhd.body);
  const decodeTime = bytes[tfdt.body] === 1 ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4);
  const track = { sizes: [] as number[], durations: [] as number[], isSync: [] as boolean[] };
  const compositionOffsets: number[] = [];
  let dataOffset: number | undefined;
  let dataEnd = 0;
  for (const trun of readBoxes(bytes, start, end).filter((box) => box.type === 'trun')) {
    const flags = readUint32(bytes, trun.body) & 0xffffff;
    const count = readUint32(bytes, trun.body + 4);
    let at = trun.body + 8;
    const take = (flag: number): number | undefined => {
      if ((flags & flag) === 0) return undefined;
      at += 4;
      return readUint32(bytes, at - 4);
    };
    const runOffset = take(0x1) ?? dataEnd;
    const firstFlags = take(0x4);
    dataOffset ??= runOffset;
    if (dataEnd !== 0 && runOffset !== dataEnd)
      throw new Error('the runs of a track fragment do not follow each other');
    dataEnd = runOffset;
    for (let i = 0; i < count; i += 1) {
      track.durations.push(take(0x100) ?? defaults.duration);
      const size = take(0x200) ?? defaults.size;
      const sampleFlags = take(0x400) ?? (i === 0 ? (firstFlags ?? defaults.flags) : defaults.flags);
      track.sizes.push(size);
      track.isSync.push((sampleFlags & NON_SYNC) === 0);
      compositionOffsets.push((take(0x800) ?? 0) | 0);
      dataEnd += size;
    }
  }
  return { trackId, decodeTime, ...track, compositionOffsets, dataOffset: dataOffset ?? 0 };
}

function readHeader(bytes: Uint8Array, body: number) {
  const flags = readUint32(bytes, body) & 0xffffff;
  if (flags & 0x1) throw new Error('tfhd tells a base_data_offset; offsets from moof were wanted');
  let at = body + 8 + (flags & 0x2 ? 4 : 0);
  const take = (flag: number): number => {
    if ((flags & flag) === 0) return 0;
    at += 4;
    return readUint32(bytes, at - 4);
  };
  const defaults = { duration: take(0x8), size: take(0x10), flags: take(0x20) };
  return { trackId: readUint32(bytes, body + 4), defaults };
}
