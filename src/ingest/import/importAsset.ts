// SPDX-License-Identifier: Apache-2.0
// Imports an on-demand asset: from the URL of an HLS or DASH manifest to an Asset with exact durations. This folder reads
// both formats, decides what an asset consists of and where it may be cut. Measuring is left to `measure`, text to `text`,
// and the schedule to `channels` and `planning`.
import { createHash } from 'node:crypto';
import type { Asset, RenditionKind } from '../../timeline/asset/asset.ts';
import { type MeasuredRendition, measureRendition } from '../measure/measureRendition.ts';
import { createTrackOpener, type TrackOpener } from '../measure/openTrack.ts';
import { createSegmentSizes, type SegmentSizes } from '../measure/segmentSizes.ts';
import type { Origin } from '../ports.ts';
import { limitOrigin } from '../source/limitOrigin.ts';
import { createMediaReader, type MediaReader } from '../source/mediaReader.ts';
import { type NominalRendition, notHttp, type Refusal } from '../source/presentation.ts';
import { refuseUnread } from '../source/transportStreams.ts';
import { checkTexts } from '../text/checkTexts.ts';
import { createTextReader } from '../text/readTextSegment.ts';
import { assembleAsset } from './assembleAsset.ts';
import { assetMarkers, type MarkedPresentation } from './assetMarkers.ts';
import { readDashPresentation } from './importDash.ts';
import { readHlsPresentation } from './importHls.ts';
import { manifestFormat } from './manifestFormat.ts';

export type ImportOptions = {
  /** Concurrent reads. Default: 6. */
  readonly concurrency?: number;
  /** Milliseconds for the whole import. Default: 120,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type ImportResult =
  | { readonly ok: true; readonly asset: Asset }
  /** `reason`, for operators: which rendition or line, what was expected and what was found. */
  | ({ readonly ok: false; readonly reason: string } & Pick<Refusal, 'code' | 'status' | 'line'>);

export async function importAsset(url: string, origin: Origin, options: ImportOptions = {}): Promise<ImportResult> {
  const { concurrency = 6, timeoutMs = 120_000, signal } = options;
  const limited = limitOrigin(origin, { concurrency, timeoutMs, ...(signal && { signal }) });
  const sizes = createSegmentSizes();
  const reader = createMediaReader(limited, sizes.add);
  const open = createTrackOpener(reader);
  const presentation = await readPresentation(url, limited, reader, open);
  if ('refused' in presentation) return failed(presentation);
  const measured = await measureAll(presentation.renditions, reader, open, sizes);
  if ('refused' in measured) return failed(measured);
  const assembled = assembleAsset(measured.renditions);
  if ('refused' in assembled) return failed(assembled);
  const texts = await checkTexts(assembled, presentation.renditions, createTextReader(limited));
  const marked = assetMarkers(presentation.markers, assembled, presentation.renditions);
  const warnings = [
    ...presentation.warnings,
    ...measured.warnings,
    ...assembled.warnings,
    ...texts.warnings,
    ...marked.warnings,
  ];
  return {
    ok: true,
    asset: { id: assetId(url), url, ...assembled, renditions: texts.renditions, ...marked, warnings },
  };
}

const failed = ({ refused, code, status, line }: Refusal): ImportResult => ({
  ok: false,
  reason: refused,
  ...(code && { code }),
  ...(status && { status }),
  ...(line && { line }),
});

/** The same for the same URL in every process. */
export const assetId = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 16);

async function readPresentation(
  url: string,
  origin: Origin,
  reader: MediaReader,
  open: TrackOpener,
): Promise<MarkedPresentation | Refusal> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return notHttp(url);
  const manifest = await reader.text(url);
  if ('refused' in manifest) return manifest;
  const format = manifestFormat(manifest.text);
  if (format === 'hls') return readHlsPresentation(manifest.text, manifest.url, reader, open);
  if (format === 'dash') return readDashPresentation(manifest.text, manifest.url, origin);
  const start = manifest.text.replace(/^\uFEFF/, '').trimStart();
  const found = start === '' ? 'an empty file' : JSON.stringify(start.slice(0, 60));
  return {
    code: 'NO_MANIFEST',
    refused: `the URL must lead to an HLS playlist (#EXTM3U) or a DASH manifest (MPD); got ${found}`,
  };
}

/** Whether an asset can do without a rendition if it has another one. It can always do without text. */
const canReplace = (other: RenditionKind, missing: RenditionKind): boolean =>
  missing === 'text' || other === missing || other === 'muxed';

/** Refuses an asset whose only audio or only video is in streams that cannot be read. */
function refuseUnreadOnly(kept: readonly MeasuredRendition[]): Refusal | undefined {
  for (const kind of ['audio', 'video'] as const) {
    const has = kept.some(({ rendition }) => rendition.kind === kind || rendition.kind === 'muxed');
    const unread = kept.flatMap((each) => each.unread.filter((stream) => stream.kind === kind));
    if (!has && unread.length > 0) return refuseUnread(`its only ${kind} stream is`, unread.slice(0, 1));
  }
  return undefined;
}

/** Leaves out a rendition that cannot be measured if another one can replace it. */
async function measureAll(
  renditions: readonly NominalRendition[],
  reader: MediaReader,
  open: TrackOpener,
  sizes: SegmentSizes,
): Promise<{ renditions: MeasuredRendition[]; warnings: string[] } | Refusal> {
  const all = await Promise.all(renditions.map((rendition) => measureRendition(rendition, reader, open, sizes)));
  const kept: MeasuredRendition[] = [];
  const warnings: string[] = [];
  for (const [i, each] of all.entries()) {
    const { kind, where } = renditions[i]!;
    if (!('refused' in each)) {
      kept.push(each);
      warnings.push(...each.unread.map(({ name }) => `${where}: its ${name} stream is left out; it cannot be read`));
    } else if (renditions.some((other, j) => !('refused' in all[j]!) && canReplace(other.kind, kind))) {
      warnings.push(`${where} is left out: ${each.refused}`);
    } else return { ...each, refused: `${where}: ${each.refused}` };
  }
  if (kept.some(({ rendition }) => rendition.kind !== 'text'))
    return refuseUnreadOnly(kept) ?? { renditions: kept, warnings };
  const refused = ['it must have video or audio that Midroll can read', ...warnings.slice(0, 5)].join('; ');
  return { code: 'NOTHING_PLAYABLE', refused };
}
