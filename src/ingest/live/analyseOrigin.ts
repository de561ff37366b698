// SPDX-License-Identifier: Apache-2.0
// Analyses a live origin: reads its manifests, measures its newest segments, and states what a channel can play of it and what
// will not work. Subtitles are not checked: they are listed as they are.
import { defined } from '../../invariant.ts';
import { firstNumber } from '../../time/row.ts';
import type { Millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { formatFault } from '../../timeline/ladder/formatFault.ts';
import { defectText } from '../defect.ts';
import { assembleAsset, createMeasureTools, measureAll } from '../import/assembleAsset.ts';
import { assetId } from '../import/importAsset.ts';
import type { MeasuredRendition } from '../measure/measureRendition.ts';
import type { ManifestDecoder, Origin } from '../ports.ts';
import { inTurns, nextTurn } from '../source/inTurns.ts';
import { limitOrigin } from '../source/limitOrigin.ts';
import { manifestFormat, refuseFormat } from '../source/manifestText.ts';
import { createMediaReader, shortUrl } from '../source/mediaReader.ts';
import { notHttp, type Refusal } from '../source/presentation.ts';
import {
  type OriginAnalysis,
  type OriginWarning,
  type PlayableOrigin,
  type SampledOrigin,
  seenBreaks,
  seenMarkers,
  type UnusableOrigin,
} from './originAnalysis.ts';

/** Reads the manifests of an origin. @param manifest the one at the URL, if it was read already */
export type SampleOrigin = (
  url: string,
  origin: Origin,
  segmentationTypes?: readonly number[],
  manifest?: { readonly text: string; readonly url: string },
) => Promise<SampledOrigin | UnusableOrigin>;

type AnalyseDeps = {
  readonly origin: Origin;
  readonly sample: Readonly<Record<'hls' | 'dash', SampleOrigin>>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

const NOT_ANALYSED = 'analysing a live origin failed with an error';

const LIMITS = { concurrency: 6, timeoutMs: 20_000 };

function unusable(url: string, problem: string, known: Partial<OriginAnalysis> = {}): OriginAnalysis {
  return { breaks: [], warnings: [], ...known, url, problems: [...(known.problems ?? []), problem] };
}

/** Never rejects: what is thrown on the way is a defect of Midroll. */
export async function analyseOrigin(
  deps: AnalyseDeps,
  url: string,
  segmentationTypes?: readonly number[],
  decode?: ManifestDecoder,
): Promise<OriginAnalysis> {
  return analyse(deps, url, segmentationTypes, decode).catch((error: unknown) => {
    deps.log(NOT_ANALYSED, { url: shortUrl(url), error });
    return unusable(url, defectText('read this origin', NOT_ANALYSED));
  });
}

async function analyse(
  { origin, sample, now }: AnalyseDeps,
  url: string,
  segmentationTypes: readonly number[] | undefined,
  decode: ManifestDecoder | undefined,
): Promise<OriginAnalysis> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return unusable(url, notHttp(url).refused);
  const limited = limitOrigin(origin.session?.() ?? origin, { ...LIMITS, decode });
  const manifest = await createMediaReader(limited).text(url);
  if ('refused' in manifest) return unusable(url, manifest.refused);
  const format = manifestFormat(manifest.text);
  if (format === undefined) return unusable(url, refuseFormat(manifest.text).refused);
  await nextTurn();
  const sampled = await sample[format](url, limited, segmentationTypes, manifest);
  await nextTurn();
  if ('refused' in sampled) {
    const { breaks, warnings } = await inTurns(0, seenBreaks(sampled.seen, now()));
    const ofTags = (sampled.seen?.warnings ?? []).map(withLine);
    return unusable(url, sampled.refused, { format, breaks, warnings: [...ofTags, ...warnings] });
  }
  const { window, hasDates, reading } = sampled;
  const markers = await inTurns(0, seenMarkers(sampled));
  await nextTurn();
  const { breaks, warnings: ofMarkers } = await inTurns(0, seenBreaks(markers, now()));
  const listed = [...[...sampled.warnings, ...reading.warnings].map(withLine), ...ofMarkers];
  const known: OriginAnalysis = { url, format, window, hasDates, breaks, problems: [], warnings: listed };
  if (reading.isEnded) return unusable(url, ENDED, known);
  const measured = await measureSample(sampled, limited);
  if ('refused' in measured) return unusable(url, measured.refused, known);
  const { asset } = measured;
  const warnings = [...known.warnings, ...asset.warnings.map((text) => ({ text })), ...encryptionWarning(sampled)];
  return { ...known, warnings, playable: playableOf(sampled, asset) };
}

const ENDED =
  'a live channel needs an origin that continues; this one has ended (EXT-X-ENDLIST, or a static MPD). For on-demand content, use a channel of type vod';

/** Messages with a line begin with it, or with the name of its playlist. */
function withLine(text: string): OriginWarning {
  const [, name = '', line, rest] = /^(\S+: )?line (\d+): (.+)$/s.exec(text) ?? [];
  return line === undefined ? { text } : { line: Number(line), text: `${name}${rest}` };
}

async function measureSample(sampled: SampledOrigin, origin: Origin): Promise<{ readonly asset: Asset } | Refusal> {
  const measured = await measureAll(sampled.renditions, createMeasureTools(origin));
  if ('refused' in measured) return measured;
  const assembled = assembleAsset(rebaseSample(measured.renditions, sampled.format));
  if ('refused' in assembled) return assembled;
  const { url } = sampled;
  const warnings = [...measured.warnings, ...assembled.warnings];
  return { asset: { id: assetId(url), url, ...assembled, warnings } };
}

function encryptionWarning({ encryption }: SampledOrigin): OriginWarning[] {
  const text = `the content is encrypted (${encryption.join(', ')}) and passed through; ads and slate are not encrypted`;
  return encryption.length === 0 ? [] : [{ text }];
}

function playableOf(sampled: SampledOrigin, asset: Asset): PlayableOrigin {
  const { format, targetDuration } = sampled;
  const common = { format, asset, targetDuration };
  if (format === 'dash') {
    const noHls = whyNoHls(sampled);
    return { ...common, serves: 'dash', ...(noHls === undefined ? {} : { noHls }) };
  }
  const noDash = whyNoDash(sampled, asset);
  return noDash === undefined ? { ...common, serves: 'both' } : { ...common, serves: 'hls', noDash };
}

function whyNoDash({ hasDates, encryption }: SampledOrigin, { renditions }: Asset): string | undefined {
  const played = renditions.filter(({ kind }) => kind !== 'text');
  const container = played.some((one) => one.container !== 'fmp4') ? 'ts' : 'fmp4';
  const layout = played.some(({ kind }) => kind === 'muxed') ? 'muxed' : 'separate';
  const fault = formatFault({ ladder: { container, layout } }, 'dash');
  if (fault !== undefined) return fault;
  if (encryption.length > 0) return `its encryption is declared for HLS only (${encryption.join(', ')})`;
  if (!hasDates) return 'its playlists have no EXT-X-PROGRAM-DATE-TIME';
  return undefined;
}

/** Seconds by which the media times of renditions may differ. */
const TOLERANCE = 0.05;

function whyNoHls({ encryption, renditions }: SampledOrigin): string | undefined {
  if (encryption.length > 0) return `its encryption is declared for DASH only (${encryption.join(', ')})`;
  const offsets = renditions
    .filter(({ kind }) => kind !== 'text')
    .flatMap(({ tracks }) =>
      tracks.map(({ presentationTimeOffset = 0, nominalTimescale }) => presentationTimeOffset / nominalTimescale),
    );
  const apart = Math.max(...offsets) - Math.min(...offsets);
  return apart > TOLERANCE
    ? `HLS has one media time for all renditions; those of the MPD differ by ${apart.toFixed(3)} s (presentationTimeOffset)`
    : undefined;
}

// Moves the media times of a sample near 0. Encoders often count them from 1970, which exceeds the range of flicks.

/** Media time at the start of the Period is 0 in DASH; renditions may have different offsets there. */
const offsetOf = ({ starts }: MeasuredRendition, format: 'hls' | 'dash'): number =>
  format === 'dash' ? (starts[0] ?? 0) : 0;

/** @param measured renditions with one part each; their distances do not change */
function rebaseSample(measured: readonly MeasuredRendition[], format: 'hls' | 'dash'): MeasuredRendition[] {
  const firsts = measured
    .filter(({ isFloating }) => !isFloating)
    .map((each) => {
      const { borders } = defined(each.rendition.tracks[0], 'a sampled rendition has one part');
      return (firstNumber(borders) - offsetOf(each, format)) / each.rendition.timescale;
    });
  // Whole seconds are whole ticks of every timescale.
  const seconds = firsts.length === 0 ? 0 : Math.floor(Math.min(...firsts));
  return measured.map((each) => {
    const { rendition, starts, isFloating } = each;
    if (isFloating) return each;
    const offset = offsetOf(each, format);
    const base = seconds * rendition.timescale;
    const tracks = rendition.tracks.map((track) => ({
      ...track,
      borders: track.borders.map((border) => border - offset - base),
    }));
    const moved = starts.map((start) => (start === undefined ? undefined : start - offset));
    return { ...each, rendition: { ...rendition, tracks }, starts: moved };
  });
}
