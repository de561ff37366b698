// SPDX-License-Identifier: Apache-2.0
import { tsTime } from '../../ads/creative/conditionedAsset.ts';
import { joinBytes, readBoxes } from '../../mp4/boxes.ts';
import { readFragment } from '../../mp4/fragments.ts';
import { writeFragment } from '../../mp4/writeFragment.ts';
import { muxSegment, type TsLayout, type TsStream } from '../../mpegts/mux.ts';
import type { TsUnit } from '../../mpegts/muxPes.ts';
import { aacUnit, type NalCodec, parameterSets, videoUnit } from '../../mpegts/muxUnits.ts';
import type { PackagedTrack } from './packagedMedia.ts';

/** Samples read from a stored file, to be written into a segment. */
export type PlayedSamples = {
  readonly track: PackagedTrack;
  /** The decode time of the first one, in ticks of the track. */
  readonly time: number;
  readonly sizes: readonly number[];
  readonly data: Uint8Array;
};

/** @returns samples `skip` to `skip + count` of the stored segments in `bytes` */
export function takeSamples(bytes: Uint8Array, skip: number, count: number): { sizes: number[]; data: Uint8Array } {
  const sizes: number[] = [];
  const pieces: Uint8Array[] = [];
  for (const moof of readBoxes(bytes).filter((box) => box.type === 'moof')) {
    const [track] = readFragment(bytes.subarray(moof.start));
    let at = moof.start + track!.dataOffset;
    for (const size of track!.sizes) {
      sizes.push(size);
      pieces.push(bytes.subarray(at, at + size));
      at += size;
    }
  }
  if (skip < 0 || skip + count > sizes.length)
    throw new Error(`samples ${skip} to ${skip + count} must be stored; got ${sizes.length} samples`);
  return { sizes: sizes.slice(skip, skip + count), data: joinBytes(pieces.slice(skip, skip + count)) };
}

/**
 * A segment in the container in which it is sent.
 * @param index of the segment in its media
 * @param layout for MPEG-TS
 */
export function packageSegment(
  container: 'fmp4' | 'ts',
  index: number,
  played: readonly PlayedSamples[],
  layout?: TsLayout,
): Uint8Array {
  if (container === 'ts') return muxSegment(index, played.map(streamOf), layout);
  const runs = played.map(({ track, time, sizes, data }, position) => ({
    trackId: position + 1,
    decodeTime: time,
    sampleDuration: track.unit,
    kind: track.kind,
    sizes,
    data,
  }));
  return writeFragment(index + 1, runs);
}

/** By sample entry: ISO/IEC 13818-1 table 2-34, and ATSC A/52 annex A for AC-3 and E-AC-3. */
const STREAM_TYPES: Record<string, number> = {
  ...{ avc1: 0x1b, hvc1: 0x24, hev1: 0x24 },
  ...{ mp4a: 0x0f, 'ac-3': 0x81, 'ec-3': 0x87 },
};

function streamOf({ track, time: start, sizes, data }: PlayedSamples): TsStream {
  const config = Uint8Array.from(atob(track.config), (character) => character.charCodeAt(0));
  const format = track.codecs.slice(0, 4);
  const codec: NalCodec = format === 'avc1' ? 'h264' : 'h265';
  const sets = track.kind === 'video' ? parameterSets(codec, config) : [];
  let at = 0;
  const units = sizes.map((size, index): TsUnit => {
    const sample = data.subarray(at, at + size);
    at += size;
    const time = tsTime(start + index * track.unit, track.timescale);
    if (track.kind === 'video') return videoUnit(codec, sets, sample, time, index === 0);
    return format === 'mp4a' ? aacUnit(config, sample, time) : { time, bytes: sample, isRandomAccess: true };
  });
  return { kind: track.kind, streamType: STREAM_TYPES[format]!, units };
}
