// SPDX-License-Identifier: Apache-2.0
// Imports an on-demand asset: from the URL of an HLS or DASH manifest to an Asset with exact durations. This folder reads
// both formats, decides what an asset consists of and where it may be cut. Measuring is left to `measure`, text to `text`,
// and the schedule to `channels` and `planning`.
import { createHash } from 'node:crypto';
import type { MediaPlaylist } from '../../hls/mediaPlaylist.ts';
import type { Variables } from '../../hls/readLines.ts';
import { readingMedia } from '../../hls/readMedia.ts';
import { isMultivariant, readingMultivariant } from '../../hls/readMultivariant.ts';
import type { NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import type { MeasureTools } from '../measure/measureRendition.ts';
import type { TrackOpener } from '../measure/openTrack.ts';
import type { Origin } from '../ports.ts';
import { inTurns } from '../source/inTurns.ts';
import { limitOrigin } from '../source/limitOrigin.ts';
import { manifestFormat, refuseFormat } from '../source/manifestText.ts';
import { type NominalTrack, notHttp, type Refusal } from '../source/presentation.ts';
import { checkTexts, createTextReader } from '../text/readTextSegment.ts';
import { assembleAsset, createMeasureTools, measureAll } from './assembleAsset.ts';
import { assetMarkers, type MarkerSource, type PresentationRead } from './assetMarkers.ts';
import { resolve, splitParts } from './hlsParts.ts';
import {
  chooseRenditions,
  chooseSources,
  type HlsSource,
  leftOut,
  leftOutTags,
  located,
  type OpenedSource,
  openSource,
  playlistName,
  refuseUnusable,
  renditionOf,
} from './hlsRenditions.ts';
import { readDashPresentation } from './importDash.ts';
import { readChapters } from './readChapters.ts';

export type ImportOptions = {
  /** Milliseconds for the whole import. Default: 120,000. */
  readonly timeoutMs?: number;
};

export type ImportResult =
  | { readonly ok: true; readonly asset: Asset }
  /** `reason`, for operators: which rendition or line, what was expected and what was found. */
  | ({ readonly ok: false; readonly reason: string } & Pick<Refusal, 'code' | 'status' | 'line'>);

export async function importAsset(url: string, origin: Origin, options: ImportOptions = {}): Promise<ImportResult> {
  const { timeoutMs = 120_000 } = options;
  const limited = limitOrigin(origin, { concurrency: 6, timeoutMs });
  const tools = createMeasureTools(limited);
  const presentation = await readPresentation(url, limited, tools);
  if ('refused' in presentation) return failed(presentation);
  const measured = await measureAll(presentation.renditions, tools);
  if ('refused' in measured) return failed(measured);
  const assembled = assembleAsset(measured.renditions);
  if ('refused' in assembled) return failed(assembled);
  const texts = await checkTexts(assembled, presentation.renditions, createTextReader(limited));
  const marked = await inTurns(0, assetMarkers(presentation.markers, assembled, presentation.renditions));
  const divided = await readChapters(presentation.chapters, assembled.duration, limited);
  const warnings = [presentation, measured, assembled, texts, marked, divided].flatMap((each) => each.warnings);
  const { renditions } = texts;
  return { ok: true, asset: { id: assetId(url), url, ...assembled, renditions, ...marked, ...divided, warnings } };
}

function failed({ refused: reason, isMissing: _isMissing, ...facts }: Refusal): ImportResult {
  return { ok: false, reason, ...facts };
}

/** The same for the same URL in every process. */
export const assetId = (url: string): string => createHash('sha256').update(url).digest('base64url').slice(0, 16);

async function readPresentation(url: string, origin: Origin, tools: MeasureTools): Promise<PresentationRead> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return notHttp(url);
  const manifest = await tools.reader.text(url);
  if ('refused' in manifest) return manifest;
  const format = manifestFormat(manifest.text);
  if (format === 'hls') return readHlsPresentation(manifest.text, manifest.url, tools);
  if (format === 'dash') return readDashPresentation(manifest.text, manifest.url, origin);
  return refuseFormat(manifest.text);
}

// Turns an HLS playlist into a presentation to be measured. Reads its media playlists and the first segment of each rendition,
// because CODECS is optional and often wrong.

type Split = { readonly playlist: MediaPlaylist; readonly tracks: NonEmpty<NominalTrack> };
type Loaded = Split & OpenedSource;

/**
 * @param url of the text, after redirects
 * @returns renditions in the order of the playlist, with the ids `v0`, `v1` … (video), `a0` … (audio) and `t0` … (text).
 * The BANDWIDTH of a variant is kept, although it includes the separate audio group (RFC 8216 §4.3.4.2)
 */
async function readHlsPresentation(text: string, url: string, tools: MeasureTools): Promise<PresentationRead> {
  if (!isMultivariant(text)) {
    const source: HlsSource = { role: 'variant', url, where: playlistName(url), rank: 0 };
    const loaded = await openParts(source, await inTurns(text.length, splitText(text, url)), tools.open);
    return 'refusal' in loaded ? located(loaded) : present([loaded], []);
  }
  const multivariant = await inTurns(text.length, readingMultivariant(text, url));
  const name = playlistName(url);
  if ('refused' in multivariant) return { ...multivariant, refused: `${name}: ${multivariant.refused}` };
  const chosen = chooseSources(multivariant, url);
  if ('refused' in chosen) return chosen;
  const { sources, warnings } = chosen;
  const all = await Promise.all(sources.map((source) => load(source, multivariant.variables, tools)));
  const loaded = all.filter((each) => 'tracks' in each);
  const unusable = all.filter((each) => 'refusal' in each);
  const allWarnings = [...multivariant.warnings, ...warnings, ...leftOutTags(text)];
  const refusal = refuseUnusable(name, loaded, unusable, allWarnings);
  if (refusal !== undefined) return refusal;
  const chapters = multivariant.chapters && resolve(multivariant.chapters, url);
  return { ...present(loaded, [...allWarnings, ...unusable.map(leftOut)]), ...(chapters && { chapters }) };
}

function* splitText(text: string, url: string, imports: Variables = new Map()): Sliced<Split | Refusal> {
  const playlist = yield* readingMedia(text, { url, imports });
  if ('refused' in playlist) return playlist;
  const tracks = yield* splitParts(playlist, url);
  return 'refused' in tracks ? tracks : { playlist, tracks };
}

async function load(source: HlsSource, variables: Variables, { reader, open }: MeasureTools) {
  const read = await reader.text(source.url);
  if ('refused' in read) return { source, refusal: read };
  return openParts(source, await inTurns(read.text.length, splitText(read.text, read.url, variables)), open);
}

async function openParts(source: HlsSource, split: Split | Refusal, open: TrackOpener) {
  if ('refused' in split) return { source, refusal: split };
  const opened = await openSource(source, split.tracks[0], open);
  return 'refusal' in opened ? opened : { ...opened, ...split };
}

function present(loaded: readonly Loaded[], previous: readonly string[]): PresentationRead {
  const { videos, audios, texts, warnings } = chooseRenditions(loaded);
  const playlists = new Map<string, MediaPlaylist>();
  const named = (list: readonly Loaded[], letter: string) =>
    list.map((each, i) => {
      playlists.set(`${letter}${i}`, each.playlist);
      return renditionOf(each, `${letter}${i}`, each.tracks);
    });
  const renditions = [...named(videos, 'v'), ...named(audios, 'a'), ...named(texts, 't')];
  const markers: MarkerSource = { kind: 'playlists', playlists };
  return { renditions, warnings: [...previous, ...warnings], markers };
}
