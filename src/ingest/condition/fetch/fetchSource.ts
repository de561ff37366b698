// SPDX-License-Identifier: Apache-2.0
// Fetches a creative into the draft: as one file, or as a video and an audio file if its manifest separates them. Of a
// manifest, the best rendition that the ladder can show is used.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreativeSource } from '../../../ads/creative/creative.ts';
import { flicksToSeconds } from '../../../time/units.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { type ImportResult, importAsset } from '../../import/importAsset.ts';
import { manifestFormat } from '../../import/manifestFormat.ts';
import { wholeEncryption } from '../../source/decryptSegment.ts';
import { describeEncryption } from '../../source/describeEncryption.ts';
import { type Failure, fetchFault, isFailure, manifestFault } from './conditionFailure.ts';
import { chooseRenditions, type FetchTarget, saveRendition } from './saveRendition.ts';

export type SourceFile = {
  readonly file: string;
  readonly holds: 'all' | 'video' | 'audio';
  /** True for concatenated segments: their header may state a longer duration than was fetched. */
  readonly isPart: boolean;
  /** The number of the part, from 0, if there are several with discontinuities between them. */
  readonly part?: number;
};

/** Advertisements do not have more discontinuities. */
const MAX_PARTS = 20;

const FETCH_TIMEOUT_MS = 120_000;
/** Enough for the XML declaration and comments before an MPD. */
const HEAD_BYTES = 4096;

/**
 * @param imported its manifest, if its name or type declares it to be one, which may be wrong
 */
export async function fetchSource(
  source: CreativeSource,
  imported: ImportResult | undefined,
  ladder: Ladder,
  target: FetchTarget,
): Promise<readonly SourceFile[] | Failure> {
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
  if (saved.size === 0) return { failed: 'the file is empty', fault: 'EMPTY_FILE', isPermanent: false };
  const start = await startOf(path);
  if (manifestFormat(start) !== undefined) return fetchListed(imported ?? (await importAsset(source.url, origin)));
  if (start.startsWith('<')) {
    const failed = 'it must be a video file or an HLS or DASH manifest; it is a web page or other XML';
    return { failed, fault: 'WEB_PAGE', isPermanent: false };
  }
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

async function fromManifest(
  imported: ImportResult,
  ladder: Ladder,
  target: FetchTarget,
): Promise<readonly SourceFile[] | Failure> {
  if (!imported.ok)
    return {
      failed: `its manifest cannot be used: ${imported.reason}`,
      fault: manifestFault(imported),
      isPermanent: imported.code === 'ENCRYPTED',
    };
  const { asset } = imported;
  const { length: count } = asset.parts;
  if (count > MAX_PARTS)
    return {
      failed: `its manifest must have at most ${MAX_PARTS} parts between discontinuities; it has ${count}`,
      fault: 'TOO_MANY_PARTS',
      isPermanent: true,
    };
  const { video, audio } = chooseRenditions(asset, ladder);
  const protections = [video, audio].flatMap(
    (rendition) => rendition?.tracks.map(({ protection }) => protection) ?? [],
  );
  const encrypted = protections.find((each) => each !== undefined && wholeEncryption(each) === undefined);
  if (encrypted !== undefined) {
    const failed = `it must be clear or encrypted with AES-128; its encryption is ${describeEncryption(encrypted)}`;
    return { failed, fault: 'ENCRYPTED', isPermanent: true };
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
      if (rendition === undefined) continue;
      const file = count > 1 ? `${holds}${part}` : holds;
      const saved = await saveRendition(rendition, part, seconds, file, target, fetched);
      if (isFailure(saved)) return saved;
      fetched += saved.size;
      const what = rendition.kind === 'muxed' ? 'all' : holds;
      files.push({ file, holds: what, isPart: true, ...(count > 1 ? { part } : {}) });
    }
  }
  return files;
}
