import type { Asset, Rendition } from '../timeline/asset.ts';
import type { Ladder } from '../timeline/ladder.ts';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import type { Failure } from './conditionFailure.ts';
import type { MediaWorkshop } from './conditionPorts.ts';
import type { Origin } from './ports.ts';

/** The largest picture that the ladder's top rung shows in full, else the smallest there is; and the sound beside it. */
export function conditionRendition(asset: Asset, ladder: Ladder): { video?: Rendition; audio?: Rendition } {
  const top = Math.max(0, ...ladder.rungs.map((rung) => rung.height ?? 0)) || Number.POSITIVE_INFINITY;
  const sizeOf = (rendition: Rendition): number => (rendition.height ?? 0) * 1e9 + rendition.bandwidth;
  const pictures = asset.renditions.filter(({ kind }) => kind === 'video' || kind === 'muxed');
  const fitting = pictures.filter(({ height }) => (height ?? 0) <= top).sort((a, b) => sizeOf(b) - sizeOf(a));
  const video = fitting[0] ?? pictures.sort((a, b) => sizeOf(a) - sizeOf(b))[0];
  const sounds = asset.renditions.filter(({ kind }) => kind === 'audio');
  const audio = video?.kind === 'muxed' ? undefined : (sounds.find(({ isDefault }) => isDefault) ?? sounds[0]);
  return { ...(video ? { video } : {}), ...(audio ? { audio } : {}) };
}

const SEGMENT_MS = 30_000;
const AT_ONCE = 4;

/** Writes init section and segments of a rendition one behind the other into `name`. */
export async function saveRendition(
  rendition: Rendition,
  seconds: number,
  workshop: MediaWorkshop,
  name: string,
  origin: Origin,
  mostBytes: number,
): Promise<{ size: number } | Failure> {
  const track = rendition.tracks[0]!;
  const end = track.borders[0]! + seconds * rendition.timescale;
  const count = track.borders.subarray(0, -1).findIndex((border) => border >= end);
  const wanted = Array.from({ length: count < 0 ? track.borders.length - 1 : count }, (_, i) => segmentUrl(track, i));
  const pieces = track.init ? [track.init, ...wanted] : wanted;
  const file = await workshop.create(name);
  let size = 0;
  try {
    for (let at = 0; at < pieces.length; at += AT_ONCE) {
      const reads = pieces.slice(at, at + AT_ONCE).map(({ url, range }) => {
        const options = { timeoutMs: SEGMENT_MS, maxBytes: mostBytes - size };
        return origin.read(url, range ? { ...options, range } : options);
      });
      for (const [index, read] of (await Promise.all(reads)).entries()) {
        if (!read.ok)
          return {
            failed: `piece ${at + index} of its ${name} could not be fetched: ${read.reason}`,
            isLasting: false,
          };
        size += read.bytes.length;
        if (size > mostBytes) return { failed: `it has more than ${mostBytes} bytes`, isLasting: true };
        await file.write(read.bytes);
      }
    }
  } finally {
    await file.close();
  }
  return { size };
}
