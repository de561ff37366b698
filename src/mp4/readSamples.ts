// SPDX-License-Identifier: Apache-2.0
// The samples of movie fragments from any packager (ISO/IEC 14496-12 §8.8), of the first track in each fragment. Text is
// read from them. Samples that point outside of the bytes are omitted.
import { type Box, readBoxes, readUint32 } from './boxes.ts';
import { boxFlags, optionalFields, readDecodeTime, readTrackHeader } from './trackFragment.ts';

export type Sample = {
  /** In ticks of the track. */
  readonly time: number;
  readonly duration: number;
  readonly bytes: Uint8Array;
};

const MAX_SAMPLES = 100_000;

export function readSamples(bytes: Uint8Array, defaultDuration = 0): Sample[] {
  const samples: Sample[] = [];
  for (const moof of readBoxes(bytes)) {
    if (moof.type !== 'moof' || moof.end > bytes.length) continue;
    const traf = readBoxes(bytes, moof.body, moof.end).find(({ type }) => type === 'traf');
    if (traf !== undefined && traf.end <= moof.end) readTrack(bytes, moof.start, traf, defaultDuration, samples);
  }
  return samples;
}

function readTrack(bytes: Uint8Array, moofStart: number, traf: Box, defaultDuration: number, samples: Sample[]): void {
  const header = readTrackHeader(bytes, traf);
  const decodeTime = readDecodeTime(bytes, traf);
  if (header === undefined || decodeTime === undefined) return;
  const base = header.baseDataOffset ?? moofStart;
  let time = decodeTime;
  let offset = base;
  for (const trun of readBoxes(bytes, traf.body, traf.end)) {
    if (trun.type !== 'trun' || trun.end > traf.end || trun.end - trun.body < 8) continue;
    const take = optionalFields(bytes, boxFlags(bytes, trun), trun.body + 8, trun.end);
    const dataOffset = take(0x1);
    if (dataOffset !== undefined) offset = base + (dataOffset | 0);
    take(0x4); // first_sample_flags
    const count = readUint32(bytes, trun.body + 4);
    for (let i = 0; i < count && samples.length < MAX_SAMPLES; i += 1) {
      const duration = take(0x100) ?? header.duration ?? defaultDuration;
      const size = take(0x200) ?? header.size ?? 0;
      take(0x400); // sample_flags
      const shift = (take(0x800) ?? 0) | 0;
      const end = offset + size;
      if (offset < 0 || end > bytes.length) return;
      samples.push({ time: time + shift, duration, bytes: bytes.subarray(offset, end) });
      offset = end;
      time += duration;
    }
  }
}
