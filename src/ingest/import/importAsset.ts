// The import of an on-demand asset: from the URL of an HLS or DASH manifest to an Asset whose durations are exact. It knows the
// order of the steps; formats, measuring and cutting are its neighbours' business.
import { createHash } from 'node:crypto';
import type { Asset, RenditionKind } from '../../timeline/asset.ts';
import { type MeasuredRendition, measureRendition } from '../measure/measureRendition.ts';
import { createTrackOpener, type TrackOpener } from '../measure/openTrack.ts';
import type { Origin } from '../ports.ts';
import { limitOrigin } from '../source/limitOrigin.ts';
import { createMediaReader, type MediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, Presentation, Refusal } from '../source/presentation.ts';
import { refuseUnread } from '../source/transportStreams.ts';
import { checkTexts } from '../text/checkTexts.ts';
import { createTextReader } from '../text/readTextSegment.ts';
import { assembleAsset } from './assembleAsset.ts';
import { readDashPresentation } from './importDash.ts';
import { readHlsPresentation } from './importHls.ts';

export type ImportOptions = {
  /** Reads under way at a time; 6 unless told. */
  readonly concurrency?: number;
  /** Milliseconds for the whole import; 120,000 unless told. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

export type ImportResult =
  | { readonly ok: true; readonly asset: Asset }
  /** One plain sentence: which rendition or line, what was wanted, what came. */
  | ({ readonly ok: false; readonly reason: string } & Pick<Refusal, 'code' | 'status' | 'line'>);

export async function importAsset(url: string, origin: Origin, options: ImportOptions = {}): Promise<ImportResult> {
  const { concurrency = 6, timeoutMs = 120_000, signal } = options;
  const polite = limitOrigin(origin, { concurrency, timeoutMs, ...(signal && { signal }) });
  const reader = createMediaReader(polite);
  const open = createTrackOpener(reader);
  const presentation = await readPresentation(url, polite, reader, open);
  if ('refused' in presentation) return failed(presentation);
  const measured = await measureAll(presentation.renditions, reader, open);
  if ('refused' in measured) return failed(measured);
  const assembled = assembleAsset(measured.renditions);
  if ('refused' in assembled) return failed(assembled);
  const { renditions, warnings: seen } = await checkTexts(assembled, presentation.renditions, createTextReader(polite));
  const warnings = [...presentation.warnings, ...measured.warnings, ...assembled.warnings, ...seen];
  return { ok: true, asset: { id: assetId(url), url, ...assembled, renditions, warnings } };
}

const failed = ({ refused, code, status, line }: Refusal): ImportResult => ({
  ok: false,
  reason: refused,
  ...(code && { code }),
  ...(status && { status }),
  ...(line && { line }),
});

/** The same for the same URL, wherever and whenever it is imported. */
export const assetId = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 16);

/** Formats are told apart by content: content types are as often wrong as right. */
async function readPresentation(
  url: string,
  origin: Origin,
  reader: MediaReader,
  open: TrackOpener,
): Promise<Presentation | Refusal> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    return { code: 'NOT_HTTP', refused: `an http(s) URL is wanted, got ${url.slice(0, 60)}` };
  const manifest = await reader.text(url);
  if ('refused' in manifest) return manifest;
  const start = manifest.text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('#EXTM3U')) return readHlsPresentation(manifest.text, manifest.url, reader, open);
  if (/^<(!DOCTYPE\s+)?([A-Za-z_][\w.-]*:)?MPD[\s>]/.test(afterProlog(start)))
    return readDashPresentation(manifest.text, manifest.url, origin);
  const came = start === '' ? 'nothing' : JSON.stringify(start.slice(0, 60));
  return {
    code: 'NO_MANIFEST',
    refused: `an HLS playlist (#EXTM3U) or a DASH manifest (MPD) is wanted, got ${came}`,
  };
}

/** What stands behind declarations and comments, however long they are (XML 1.0 §2.8). */
function afterProlog(text: string): string {
  let at = 0;
  for (;;) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?', at) ? '?>' : undefined;
    const close = end === undefined ? -1 : text.indexOf(end, at);
    if (close < 0) return text.slice(at, at + 200);
    at = close + end!.length;
    while (/\s/.test(text[at] ?? '')) at += 1;
  }
}

/** Whether an asset is still whole when a rendition is missing and another is there; text may always be missed. */
const canReplace = (other: RenditionKind, missing: RenditionKind): boolean =>
  missing === 'text' || other === missing || other === 'muxed';

/** A film would be silent, or sound alone, when all that could be heard or seen of it can't be read. */
function lostStreams(kept: readonly MeasuredRendition[]): Refusal | undefined {
  for (const [kind, word] of [
    ['audio', 'sound'],
    ['video', 'picture'],
  ] as const) {
    const has = kept.some(({ rendition }) => rendition.kind === kind || rendition.kind === 'muxed');
    const lost = kept.flatMap(({ unread }) => unread.filter((stream) => stream.kind === kind));
    if (!has && lost.length > 0) return refuseUnread(`its only ${word} is`, lost.slice(0, 1));
  }
  return undefined;
}

/** A rendition that can't be measured is left out when others can take its place. */
async function measureAll(
  renditions: readonly NominalRendition[],
  reader: MediaReader,
  open: TrackOpener,
): Promise<{ renditions: MeasuredRendition[]; warnings: string[] } | Refusal> {
  const all = await Promise.all(renditions.map((rendition) => measureRendition(rendition, reader, open)));
  const kept: MeasuredRendition[] = [];
  const warnings: string[] = [];
  for (const [i, each] of all.entries()) {
    const { kind, where } = renditions[i]!;
    if (!('refused' in each)) {
      kept.push(each);
      warnings.push(...each.unread.map(({ name }) => `${where}: its ${name} is left out, because it can't be read`));
    } else if (renditions.some((other, j) => !('refused' in all[j]!) && canReplace(other.kind, kind))) {
      warnings.push(`${where} is left out: ${each.refused}`);
    } else return { ...each, refused: `${where}: ${each.refused}` };
  }
  if (kept.some(({ rendition }) => rendition.kind !== 'text'))
    return lostStreams(kept) ?? { renditions: kept, warnings };
  const refused = ['pictures or sound are wanted, none can be played', ...warnings.slice(0, 5)].join('; ');
  return { code: 'NOTHING_PLAYABLE', refused };
}
