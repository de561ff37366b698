// The samples of anybody's movie fragments (ISO/IEC 14496-12 §8.8), of the first track that is found: what text is read from.
// Bytes come as they come: what points outside of them is left out.
import { type Box, findBox, readBoxes, readUint32, readUint64 } from './boxes.ts';

export type Sample = {
  /** In ticks of the track. */
  readonly time: number;
  readonly duration: number;
  readonly bytes: Uint8Array;
};

const MOST_SAMPLES = 100_000;

/** @param defaultDuration of `trex` */
export function readSamples(bytes: Uint8Array, defaultDuration = 0): Sample[] {
  const samples: Sample[] = [];
  for (const moof of readBoxes(bytes)) {
    if (moof.type !== 'moof' || moof.end > bytes.length) continue;
    const traf = readBoxes(bytes, moof.body, moof.end).find(({ type }) => type === 'traf');
    if (traf !== undefined && traf.end <= moof.end) readTrack(bytes, moof.start, traf, defaultDuration, samples);
  }
  return samples;
}

function readTrack(bytes: Uint8Array, origin: number, traf: Box, defaultDuration: number, samples: Sample[]): void {
  const inside = (type: string, least: number): Box | undefined => {
    const box = findBox(bytes, [type], traf.body, traf.end);
    return box !== undefined && box.end <= traf.end && box.end - box.body >= least ? box : undefined;
  };
  const tfhd = inside('tfhd', 8);
  const tfdt = inside('tfdt', 8);
  if (tfhd === undefined || tfdt === undefined || (bytes[tfdt.body] === 1 && tfdt.end - tfdt.body < 12)) return;
  const defaults = readDefaults(bytes, tfhd);
  const clock = {
    time: bytes[tfdt.body] === 1 ? readUint64(bytes, tfdt.body + 4) : readUint32(bytes, tfdt.body + 4),
    offset: defaults.base ?? origin,
  };
  for (const trun of readBoxes(bytes, traf.body, traf.end)) {
    if (trun.type !== 'trun' || trun.end > traf.end || trun.end - trun.body < 8) continue;
    const flags = readUint32(bytes, trun.body) & 0xffffff;
    let at = trun.body + 8;
    const take = (flag: number): number | undefined => {
      if ((flags & flag) === 0 || at + 4 > trun.end) return undefined;
      at += 4;
      return readUint32(bytes, at - 4);
    };
    const offset = take(0x1);
    if (offset !== undefined) clock.offset = (defaults.base ?? origin) + (offset | 0);
    take(0x4);
    const told = readUint32(bytes, trun.body + 4);
    for (let i = 0; i < told && samples.length < MOST_SAMPLES; i += 1) {
      const duration = take(0x100) ?? defaults.duration ?? defaultDuration;
      const size = take(0x200) ?? defaults.size ?? 0;
      take(0x400);
      const shift = (take(0x800) ?? 0) | 0;
      const end = clock.offset + size;
      if (clock.offset < 0 || end > bytes.length) return;
      samples.push({ time: clock.time + shift, duration, bytes: bytes.subarray(clock.offset, end) });
      clock.offset = end;
      clock.time += duration;
    }
  }
}

/** `tfhd` (§8.8.7). */
function readDefaults(bytes: Uint8Array, tfhd: Box): { base?: number; duration?: number; size?: number } {
  const flags = readUint32(bytes, tfhd.body) & 0xffffff;
  let at = tfhd.body + 8;
  const take = (flag: number, width: 4 | 8): number | undefined => {
    if ((flags & flag) === 0 || at + width > tfhd.end) return undefined;
    at += width;
    return width === 8 ? readUint64(bytes, at - 8) : readUint32(bytes, at - 4);
  };
  const base = take(0x1, 8);
  take(0x2, 4);
  const [duration, size] = [take(0x8, 4), take(0x10, 4)];
  return {
    ...(base === undefined ? {} : { base }),
    ...(duration === undefined ? {} : { duration }),
    ...(size === undefined ? {} : { size }),
  };
}
