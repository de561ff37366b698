// A creative brought into the draft: one file, or a file for picture and one for sound when a manifest keeps them
// apart. Of a manifest the best rendition is taken that the ladder can show.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreativeSource } from '../../../ads/creative/creative.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { type ImportResult, importAsset } from '../../import/importAsset.ts';
import type { MediaDraft } from '../../package/mediaStore.ts';
import type { Origin } from '../../ports.ts';
import { wholeEncryption } from '../../source/decryptSegment.ts';
import { describeEncryption } from '../../source/describeEncryption.ts';
import { type Failure, fetchFault, isFailure, manifestFault } from './conditionFailure.ts';
import { chooseRenditions, saveRendition } from './saveRendition.ts';

export type SourceFile = {
  readonly file: string;
  readonly holds: 'all' | 'video' | 'audio';
  /** Pieces of a manifest, put together: its header may tell of more than was fetched. */
  readonly isPart: boolean;
  /** Of several with a discontinuity between, counted from 0. */
  readonly part?: number;
};

/** More of them is no advertisement. */
const MOST_PARTS = 20;

const FETCH_MS = 120_000;

/**
 * @param imported its manifest, where its name or type say that it is one; a film may be called so by mistake
 * @param mostSeconds what is needed of it; more of a manifest is not fetched
 * @param mostBytes a creative that has more is refused
 */
export async function fetchSource(
  source: CreativeSource,
  imported: ImportResult | undefined,
  ladder: Ladder,
  draft: MediaDraft,
  origin: Origin,
  mostSeconds: number,
  mostBytes: number,
): Promise<readonly SourceFile[] | Failure> {
  const ofManifest = (read: ImportResult) => fromManifest(read, ladder, draft, origin, mostSeconds, mostBytes);
  if (imported?.ok) return ofManifest(imported);
  const path = join(draft.folder, 'source');
  const saved = await origin.save(source.url, path, { maxBytes: mostBytes, timeoutMs: FETCH_MS });
  if (!saved.ok && imported !== undefined) return ofManifest(imported);
  if (!saved.ok) {
    const { reason, isTooLarge = false } = saved;
    return { failed: `it could not be fetched: ${reason}`, fault: fetchFault(saved), isPermanent: isTooLarge };
  }
  if (saved.size === 0) return { failed: 'the file is empty', fault: 'EMPTY_FILE', isPermanent: false };
  const start = await startOf(path);
  if (/^(#EXTM3U|(<\?xml[^>]*>\s*)?<MPD)/.test(start))
    return ofManifest(imported ?? (await importAsset(source.url, origin)));
  if (start.startsWith('<'))
    return { failed: 'it is a web page or XML, not a video file', fault: 'WEB_PAGE', isPermanent: false };
  return [{ file: 'source', holds: 'all', isPart: false }];
}

export function isManifest({ url, mimeType }: CreativeSource): boolean {
  if (/mpegurl|dash\+xml/i.test(mimeType)) return true;
  return /\.(m3u8|mpd)$/i.test(url.replace(/[?#].*$/, ''));
}

async function startOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer
      .toString('utf8', 0, bytesRead)
      .replace(/^\uFEFF/, '')
      .trimStart();
  } finally {
    await file.close();
  }
}

async function fromManifest(
  imported: ImportResult,
  ladder: Ladder,
  draft: MediaDraft,
  origin: Origin,
  mostSeconds: number,
  mostBytes: number,
): Promise<readonly SourceFile[] | Failure> {
  if (!imported.ok)
    return {
      failed: `its manifest can't be used: ${imported.reason}`,
      fault: manifestFault(imported),
      isPermanent: imported.code === 'ENCRYPTED',
    };
  const { asset } = imported;
  const { length: count } = asset.parts;
  if (count > MOST_PARTS)
    return {
      failed: `its manifest has ${count} parts with a discontinuity between; ${MOST_PARTS} are the most`,
      fault: 'TOO_MANY_PARTS',
      isPermanent: true,
    };
  const { video, audio } = chooseRenditions(asset, ladder);
  const keys = [video, audio].flatMap((rendition) => rendition?.tracks.map(({ protection }) => protection) ?? []);
  const locked = keys.find((protection) => protection !== undefined && wholeEncryption(protection) === undefined);
  if (locked !== undefined)
    return { failed: `it is encrypted (${describeEncryption(locked)})`, fault: 'ENCRYPTED', isPermanent: true };
  const files: SourceFile[] = [];
  let left = mostBytes;
  for (const [part, { start, duration }] of asset.parts.entries()) {
    const seconds = Math.min(flicksToSeconds(duration), mostSeconds - flicksToSeconds(start));
    if (seconds <= 0) break;
    for (const [holds, rendition] of [
      ['video', video],
      ['audio', audio],
    ] as const) {
      if (rendition === undefined) continue;
      const file = count > 1 ? `${holds}${part}` : holds;
      const saved = await saveRendition(rendition, part, seconds, draft, file, origin, left);
      if (isFailure(saved)) return saved;
      left -= saved.size;
      const what = rendition.kind === 'muxed' ? 'all' : holds;
      files.push({ file, holds: what, isPart: true, ...(count > 1 ? { part } : {}) });
    }
  }
  return files;
}
