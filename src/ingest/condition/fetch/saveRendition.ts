// SPDX-License-Identifier: Apache-2.0
import type { Asset, Rendition, Track } from '../../../timeline/asset/asset.ts';
import { hasVideo } from '../../../timeline/asset/renditionKind.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import type { MediaDraft } from '../../package/mediaStore.ts';
import type { Origin } from '../../ports.ts';
import { wholeEncryption } from '../../source/decryptSegment.ts';
import { createMediaReader } from '../../source/mediaReader.ts';
import { asNominal, notFetched, type Refusal } from '../../source/presentation.ts';
import { type Failure, manifestFault } from './conditionFailure.ts';

/** The largest video that is not higher than the top rung, otherwise the smallest one; and the separate audio, if any. */
export function chooseRenditions(asset: Asset, ladder: Ladder): { video?: Rendition; audio?: Rendition } {
  const top = Math.max(0, ...ladder.rungs.map((rung) => rung.height ?? 0)) || Number.POSITIVE_INFINITY;
  const sizeOf = (rendition: Rendition): number => (rendition.height ?? 0) * 1e9 + rendition.bandwidth;
  const videos = asset.renditions.filter(({ kind }) => hasVideo(kind));
  const fitting = videos.filter(({ height }) => (height ?? 0) <= top).sort((a, b) => sizeOf(b) - sizeOf(a));
  const video = fitting[0] ?? videos.sort((a, b) => sizeOf(a) - sizeOf(b))[0];
  const audios = asset.renditions.filter(({ kind }) => kind === 'audio');
  const audio = video?.kind === 'muxed' ? undefined : (audios.find(({ isDefault }) => isDefault) ?? audios[0]);
  return { ...(video ? { video } : {}), ...(audio ? { audio } : {}) };
}

const SEGMENT_TIMEOUT_MS = 30_000;
const CONCURRENT_READS = 4;

/** @param piece the index of a segment; −1 is the initialization section */
type PieceReader = (piece: number, maxBytes: number) => Promise<Uint8Array | Refusal>;

const readAsIs =
  (track: Track, origin: Origin): PieceReader =>
  async (piece, maxBytes) => {
    const { url, range } = piece < 0 ? track.init! : segmentUrl(track, piece);
    const read = await origin.read(url, { timeoutMs: SEGMENT_TIMEOUT_MS, maxBytes, ...(range ? { range } : {}) });
    return read.ok ? read.bytes : { ...notFetched(read), refused: read.reason };
  };

/** Every player of the playlist can read the key (RFC 8216 §4.3.2.4), so Midroll may decrypt the ad for its viewers. */
function readDecrypted(track: Track, timescale: number, origin: Origin): PieceReader {
  const nominal = asNominal(track, timescale);
  const reader = createMediaReader(origin);
  return async (piece) => {
    if (piece < 0) return (await reader.init(nominal)) ?? { refused: 'it has no initialization section' };
    const read = await reader.whole(nominal, piece);
    return 'refused' in read ? read : read.bytes;
  };
}

/** Reads the pieces of a track, decrypted if whole segments are encrypted. */
export const pieceReader = (track: Track, timescale: number, origin: Origin): PieceReader =>
  wholeEncryption(track.protection) ? readDecrypted(track, timescale, origin) : readAsIs(track, origin);

export type FetchTarget = {
  readonly draft: MediaDraft;
  readonly origin: Origin;
  /** The seconds of the creative that are needed. Later segments are not fetched. */
  readonly maxSeconds: number;
  /** The size limit of a creative, for all its files together. */
  readonly maxBytes: number;
};

/**
 * Writes the initialization section and the segments of one part of a rendition into the file `name`.
 * @param fetched bytes of the creative that have been fetched before
 */
export async function saveRendition(
  rendition: Rendition,
  part: number,
  seconds: number,
  name: string,
  { draft, origin, maxBytes }: FetchTarget,
  fetched: number,
): Promise<{ size: number } | Failure> {
  const track = rendition.tracks[part]!;
  const end = track.borders[0]! + seconds * rendition.timescale;
  const count = track.borders.subarray(0, -1).findIndex((border) => border >= end);
  const needed = count < 0 ? track.borders.length - 1 : count;
  const read = pieceReader(track, rendition.timescale, origin);
  const pieces = [...(track.init ? [-1] : []), ...Array.from({ length: needed }, (_, index) => index)];
  const file = await draft.create(name);
  let size = 0;
  try {
    for (let at = 0; at < pieces.length; at += CONCURRENT_READS) {
      const reads = pieces.slice(at, at + CONCURRENT_READS).map((piece) => read(piece, maxBytes - fetched - size));
      for (const [index, bytes] of (await Promise.all(reads)).entries()) {
        if ('refused' in bytes) {
          const piece = pieces[at + index]!;
          const what = piece < 0 ? 'the initialization section' : `segment ${piece}`;
          const failed = `${what} of its ${name} could not be fetched: ${bytes.refused}`;
          return { failed, fault: manifestFault(bytes), isPermanent: false };
        }
        size += bytes.length;
        if (fetched + size > maxBytes)
          return {
            failed: `it must have at most ${maxBytes} bytes; it has more`,
            fault: 'TOO_LARGE',
            isPermanent: true,
          };
        await file.write(bytes);
      }
    }
  } finally {
    await file.close();
  }
  return { size };
}
