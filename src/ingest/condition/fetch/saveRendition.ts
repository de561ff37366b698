import type { Asset, Rendition, Track } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { MediaDraft } from '../../package/mediaStore.ts';
import type { Origin } from '../../ports.ts';
import { wholeEncryption } from '../../source/decryptSegment.ts';
import { createMediaReader } from '../../source/mediaReader.ts';
import { notFetched, type Refusal } from '../../source/presentation.ts';
import { type Failure, manifestFault } from './conditionFailure.ts';

/** The largest picture that the ladder's top rung shows in full, else the smallest there is; and the sound beside it. */
export function chooseRenditions(asset: Asset, ladder: Ladder): { video?: Rendition; audio?: Rendition } {
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

/** @param piece a segment's number; −1 is the init section */
type PieceReader = (piece: number, maxBytes: number) => Promise<Uint8Array | Refusal>;

const asItIs =
  (track: Track, origin: Origin): PieceReader =>
  async (piece, maxBytes) => {
    const { url, range } = piece < 0 ? track.init! : segmentUrl(track, piece);
    const read = await origin.read(url, { timeoutMs: SEGMENT_MS, maxBytes, ...(range ? { range } : {}) });
    return read.ok ? read.bytes : { ...notFetched(read), refused: read.reason };
  };

/** Whoever has the playlist has the key (RFC 8216 §4.3.2.4): it keeps nothing from anybody who may show the ad. */
function inTheClear(track: Track, timescale: number, origin: Origin): PieceReader {
  const { borders, ...its } = track;
  const nominal = {
    ...its,
    count: borders.length - 1,
    nominalBorders: borders,
    nominalTimescale: timescale,
    exact: true,
  };
  const reader = createMediaReader(origin);
  return async (piece) => {
    if (piece < 0) return (await reader.init(nominal)) ?? { refused: 'it has none' };
    const read = await reader.whole(nominal, piece);
    return 'refused' in read ? read : read.bytes;
  };
}

/** Writes init section and segments of one part of a rendition one behind the other into `name`. */
export async function saveRendition(
  rendition: Rendition,
  part: number,
  seconds: number,
  draft: MediaDraft,
  name: string,
  origin: Origin,
  mostBytes: number,
): Promise<{ size: number } | Failure> {
  const track = rendition.tracks[part]!;
  const end = track.borders[0]! + seconds * rendition.timescale;
  const count = track.borders.subarray(0, -1).findIndex((border) => border >= end);
  const wanted = count < 0 ? track.borders.length - 1 : count;
  const read = wholeEncryption(track.protection)
    ? inTheClear(track, rendition.timescale, origin)
    : asItIs(track, origin);
  const pieces = [...(track.init ? [-1] : []), ...Array.from({ length: wanted }, (_, index) => index)];
  const file = await draft.create(name);
  let size = 0;
  try {
    for (let at = 0; at < pieces.length; at += AT_ONCE) {
      const reads = pieces.slice(at, at + AT_ONCE).map((piece) => read(piece, mostBytes - size));
      for (const [index, bytes] of (await Promise.all(reads)).entries()) {
        if ('refused' in bytes) {
          const failed = `piece ${at + index} of its ${name} could not be fetched: ${bytes.refused}`;
          return { failed, fault: manifestFault(bytes), isPermanent: false };
        }
        size += bytes.length;
        if (size > mostBytes)
          return { failed: `it has more than ${mostBytes} bytes`, fault: 'TOO_LARGE', isPermanent: true };
        await file.write(bytes);
      }
    }
  } finally {
    await file.close();
  }
  return { size };
}
