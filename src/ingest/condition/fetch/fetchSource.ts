// SPDX-License-Identifier: Apache-2.0
// Fetches a creative into the draft: as one file, or as a video and an audio file if its manifest separates them. The
// best rendition of a manifest that the ladder can show is used.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreativeSource } from '../../../ads/creative/creative.ts';
import { firstNumber, numberAt } from '../../../time/row.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import { type Asset, hasVideo, type Rendition, type Track } from '../../../timeline/asset/asset.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { type ImportResult, importAsset } from '../../import/importAsset.ts';
import type { MediaDraft } from '../../package/mediaStore.ts';
import type { Origin } from '../../ports.ts';
import { describeEncryption, wholeEncryption } from '../../source/decryptSegment.ts';
import { manifestFormat } from '../../source/manifestText.ts';
import { createMediaReader } from '../../source/mediaReader.ts';
import { asNominal, notFetched, type Refusal } from '../../source/presentation.ts';
import { type Failure, fetchFault, isFailure, manifestFault, permanent, transient } from './conditionFailure.ts';

export type SourceFile = {
  readonly file: string;
  readonly holds: 'all' | 'video' | 'audio';
  /** True for concatenated segments: their header may state a longer duration than was fetched. */
  readonly isPart: boolean;
  /** The number of the part between discontinuities, from 0. */
  readonly part?: number;
};

export type SourceFiles = readonly SourceFile[];
type Fetched = SourceFiles | Failure;

/** Advertisements do not have more discontinuities. */
const MAX_PARTS = 20;

const FETCH_TIMEOUT_MS = 120_000;
/** Enough for the XML declaration and comments before an MPD. */
const HEAD_BYTES = 4096;

/** @param imported its manifest, if its name or type declares it to be one, which may be wrong */
export async function fetchSource(
  source: CreativeSource,
  imported: ImportResult | undefined,
  ladder: Ladder,
  target: FetchTarget,
): Promise<Fetched> {
  const fetchListed = (result: ImportResult) => fromManifest(result, ladder, target);
  const { draft, origin, maxBytes } = target;
  if (imported?.ok) return fetchListed(imported);
  const path = join(draft.folder, 'source');
  const saved = await origin.save(source.url, path, { maxBytes, timeoutMs: FETCH_TIMEOUT_MS });
  if (!saved.ok && imported !== undefined) return fetchListed(imported);
  if (!saved.ok) {
    const { reason, isTooLarge = false } = saved;
    return { failed: `it could not be fetched: ${reason}`, fault: fetchFault(saved), isPermanent: isTooLarge };
  }
  if (saved.size === 0) return transient('EMPTY_FILE', 'the file is empty');
  const start = await startOf(path);
  if (manifestFormat(start) !== undefined) return fetchListed(imported ?? (await importAsset(source.url, origin)));
  if (start.startsWith('<'))
    return transient('WEB_PAGE', 'it must be a video file or an HLS or DASH manifest; it is a web page or other XML');
  return [{ file: 'source', holds: 'all', isPart: false }];
}

/** Whether the type or the name of a creative declares it to be a manifest. */
export function isManifest({ url, mimeType }: CreativeSource): boolean {
  if (/mpegurl|dash\+xml/i.test(mimeType)) return true;
  return /\.(m3u8|mpd)$/i.test(url.replace(/[?#].*$/, ''));
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart();
  } finally {
    await file.close();
  }
}

async function fromManifest(imported: ImportResult, ladder: Ladder, target: FetchTarget): Promise<Fetched> {
  if (!imported.ok) {
    const isPermanent = imported.code === 'ENCRYPTED';
    return { failed: `its manifest cannot be used: ${imported.reason}`, fault: manifestFault(imported), isPermanent };
  }
  const { asset } = imported;
  const { length: count } = asset.parts;
  if (count > MAX_PARTS) {
    const failed = `its manifest must have at most ${MAX_PARTS} parts between discontinuities; it has ${count}`;
    return permanent('TOO_MANY_PARTS', failed);
  }
  const { video, audio } = bestRenditions(asset, ladder);
  const protections = [video, audio].flatMap((of) => of?.tracks.map(({ protection }) => protection) ?? []);
  const encrypted = protections.find((each) => each !== undefined && wholeEncryption(each) === undefined);
  if (encrypted !== undefined) {
    const failed = `it must be clear or encrypted with AES-128; its encryption is ${describeEncryption(encrypted)}`;
    return permanent('ENCRYPTED', failed);
  }
  const files: SourceFile[] = [];
  let fetched = 0;
  for (const [part, { start, duration }] of asset.parts.entries()) {
    const seconds = Math.min(flicksToSeconds(duration), target.maxSeconds - flicksToSeconds(start));
    if (seconds <= 0) break;
    for (const [holds, rendition] of [
      ['video', video],
      ['audio', audio],
    ] as const) {
      const track = rendition?.tracks[part];
      if (rendition === undefined || track === undefined) continue;
      const file = count > 1 ? `${holds}${part}` : holds;
      const saved = await saveTrack({ track, timescale: rendition.timescale, seconds, file }, target, fetched);
      if (isFailure(saved)) return saved;
      fetched += saved.size;
      files.push({ file, holds: rendition.kind === 'muxed' ? 'all' : holds, isPart: true, part });
    }
  }
  return files;
}

/** The largest video that is not higher than the top rung, otherwise the smallest one; and the separate audio, if any. */
function bestRenditions(asset: Asset, ladder: Ladder) {
  const top = Math.max(0, ...ladder.rungs.map((rung) => rung.height ?? 0)) || Number.POSITIVE_INFINITY;
  const sizeOf = (rendition: Rendition): number => (rendition.height ?? 0) * 1e9 + rendition.bandwidth;
  const videos = asset.renditions.filter(({ kind }) => hasVideo(kind));
  const fitting = videos.filter(({ height }) => (height ?? 0) <= top).sort((a, b) => sizeOf(b) - sizeOf(a));
  const video = fitting[0] ?? videos.sort((a, b) => sizeOf(a) - sizeOf(b))[0];
  const audios = video?.kind === 'muxed' ? [] : asset.renditions.filter(({ kind }) => kind === 'audio');
  return { video, audio: audios.find(({ isDefault }) => isDefault) ?? audios[0] };
}

const SEGMENT_TIMEOUT_MS = 30_000;
const NO_INIT = 'it has no initialization section';
const CONCURRENT_READS = 4;

/** @param piece the index of a segment; −1 is the initialization section */
type PieceReader = (piece: number, maxBytes: number) => Promise<Uint8Array | Refusal>;

const readAsIs =
  (track: Track, origin: Origin): PieceReader =>
  async (piece, maxBytes) => {
    const ref = piece < 0 ? track.init : segmentUrl(track, piece);
    if (ref === undefined) return { refused: NO_INIT };
    const { url, range } = ref;
    const read = await origin.read(url, { timeoutMs: SEGMENT_TIMEOUT_MS, maxBytes, range });
    return read.ok ? read.bytes : { ...notFetched(read), refused: read.reason };
  };

/** Every player of the playlist can read the key (RFC 8216 §4.3.2.4), so Midroll may decrypt the ad for its viewers. */
function readDecrypted(track: Track, timescale: number, origin: Origin): PieceReader {
  const nominal = asNominal(track, timescale);
  const reader = createMediaReader(origin);
  return async (piece) => {
    if (piece < 0) return (await reader.init(nominal)) ?? { refused: NO_INIT };
    const read = await reader.whole(nominal, piece);
    return 'refused' in read ? read : read.bytes;
  };
}

/** Reads the pieces of a track, decrypted if whole segments are encrypted. */
export const pieceReader = (track: Track, timescale: number, origin: Origin): PieceReader =>
  wholeEncryption(track.protection) ? readDecrypted(track, timescale, origin) : readAsIs(track, origin);

type FetchTarget = {
  readonly draft: MediaDraft;
  readonly origin: Origin;
  /** The seconds of the creative that are needed. Later segments are not fetched. */
  readonly maxSeconds: number;
  /** The size limit of a creative, for all its files together. */
  readonly maxBytes: number;
};

/** One part of a rendition, of which the first seconds are needed. */
type NeededTrack = {
  readonly track: Track;
  readonly timescale: number;
  readonly seconds: number;
  readonly file: string;
};

/** Writes a track into its file. @param fetched bytes of the creative that have been fetched before */
async function saveTrack(
  { track, timescale, seconds, file: name }: NeededTrack,
  { draft, origin, maxBytes }: FetchTarget,
  fetched: number,
): Promise<{ size: number } | Failure> {
  const end = firstNumber(track.borders) + seconds * timescale;
  const count = track.borders.subarray(0, -1).findIndex((border) => border >= end);
  const needed = count < 0 ? track.borders.length - 1 : count;
  const read = pieceReader(track, timescale, origin);
  const pieces = [...(track.init ? [-1] : []), ...Array.from({ length: needed }, (_, index) => index)];
  const file = await draft.create(name);
  let size = 0;
  try {
    for (let at = 0; at < pieces.length; at += CONCURRENT_READS) {
      const reads = pieces.slice(at, at + CONCURRENT_READS).map((piece) => read(piece, maxBytes - fetched - size));
      for (const [index, bytes] of (await Promise.all(reads)).entries()) {
        if ('refused' in bytes) {
          const piece = numberAt(pieces, at + index);
          const what = piece < 0 ? 'the initialization section' : `segment ${piece}`;
          const failed = `${what} of its ${name} could not be fetched: ${bytes.refused}`;
          return { failed, fault: manifestFault(bytes), isPermanent: false };
        }
        size += bytes.length;
        if (fetched + size > maxBytes)
          return permanent('TOO_LARGE', `it must have at most ${maxBytes} bytes; it has more`);
        await file.write(bytes);
      }
    }
  } finally {
    await file.close();
  }
  return { size };
}
