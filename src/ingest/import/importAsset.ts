// SPDX-License-Identifier: Apache-2.0
// Imports an on-demand asset: from the URL of an HLS or DASH manifest to an Asset with exact durations. This folder reads
// both formats, decides what an asset consists of and where it may be cut. Measuring is left to `measure`, text to `text`,
// and the schedule to `channels` and `planning`.
import { createHash } from 'node:crypto';
import type { Asset } from '../../timeline/asset/asset.ts';
import type { MeasureTools } from '../measure/measureRendition.ts';
import type { Origin } from '../ports.ts';
import { inTurns } from '../source/inTurns.ts';
import { limitOrigin } from '../source/limitOrigin.ts';
import { manifestFormat, refuseFormat } from '../source/manifestText.ts';
import { notHttp, type Refusal } from '../source/presentation.ts';
import { checkTexts } from '../text/checkTexts.ts';
import { createTextReader } from '../text/readTextSegment.ts';
import { assembleAsset, createMeasureTools, measureAll } from './assembleAsset.ts';
import { assetMarkers, type MarkedPresentation } from './assetMarkers.ts';
import { readDashPresentation } from './importDash.ts';
import { readHlsPresentation } from './importHls.ts';

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
  const limited = limitOrigin(origin, { concurrency, timeoutMs, signal });
  const tools = createMeasureTools(limited);
  const presentation = await readPresentation(url, limited, tools);
  if ('refused' in presentation) return failed(presentation);
  const measured = await measureAll(presentation.renditions, tools);
  if ('refused' in measured) return failed(measured);
  const assembled = assembleAsset(measured.renditions);
  if ('refused' in assembled) return failed(assembled);
  const texts = await checkTexts(assembled, presentation.renditions, createTextReader(limited));
  const marked = await inTurns(0, assetMarkers(presentation.markers, assembled, presentation.renditions));
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
  { reader, open }: MeasureTools,
): Promise<MarkedPresentation | Refusal> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return notHttp(url);
  const manifest = await reader.text(url);
  if ('refused' in manifest) return manifest;
  const format = manifestFormat(manifest.text);
  if (format === 'hls') return readHlsPresentation(manifest.text, manifest.url, reader, open);
  if (format === 'dash') return readDashPresentation(manifest.text, manifest.url, origin);
  return refuseFormat(manifest.text);
}
