// SPDX-License-Identifier: Apache-2.0
// A first look at a live HLS origin, before a channel uses it.
import { defined, groupBy, invariant, isNonEmpty, type NonEmpty } from '../../../invariant.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { flicks, flicksToSeconds } from '../../../time/units.ts';
import { trackOf } from '../../import/hlsParts.ts';
import {
  chooseRenditions,
  leftOut,
  type OpenedSource,
  openSource,
  refuseUnusable,
  renditionOf,
} from '../../import/hlsRenditions.ts';
import { createTrackOpener } from '../../measure/openTrack.ts';
import { inTurns } from '../../source/inTurns.ts';
import { createMediaReader, type MediaReader } from '../../source/mediaReader.ts';
import type { NominalTrack, Refusal } from '../../source/presentation.ts';
import type { SampleOrigin } from '../analyseOrigin.ts';
import { type SampledOrigin, type Sampling, seenMarkers, shareBorder } from '../originAnalysis.ts';
import { type FetchedPlaylist, type FetchedPlaylists, fetchPlaylists } from './fetchPlaylists.ts';
import { rungSignals } from './rungSignals.ts';
import { datedTimes, sampleText, sampleWindow, windowTimes } from './sampleWindow.ts';

/** Milliseconds. More than an audio frame, and rounding: borders that are closer are one. */
const ALIGNED_MS = 50;

type Sampled = FetchedPlaylist & { readonly track: NominalTrack };
type Opened = Sampled & OpenedSource;

export const sampleHlsOrigin: SampleOrigin = async (url, origin, segmentationTypes, manifest) => {
  const reader = createMediaReader(origin);
  const markers = segmentationTypes === undefined ? {} : { starts: segmentationTypes };
  const fetched = await fetchPlaylists(manifest ?? (await reader.text(url)), reader);
  if ('refused' in fetched) {
    const { listed, ...refusal } = fetched;
    return { ...refusal, seen: await seenIn(listed === undefined ? [] : [listed], markers) };
  }
  const result = await sampleInTurn(fetched, reader, markers);
  if (!('refused' in result)) return result;
  const unused = fetched.unusable.flatMap(({ listed = [] }) => listed);
  return { ...result, seen: await seenIn([...fetched.playlists, ...unused], markers) };
};

/** The markers of an origin whose media cannot be used. */
async function seenIn(playlists: readonly FetchedPlaylist[], markers: MarkerOptions) {
  const media = playlists.filter(({ source }) => source.role !== 'text');
  const [first] = media;
  if (first === undefined) return undefined;
  const { key, segments, timed } = first;
  const { signals, warnings } = await inTurns(100 * segments.length, rungSignals(media, markers));
  const reading = { renditions: [{ key, segments }], signals, warnings: [], isEnded: first.playlist.ended };
  const hasDates = timed.every(({ startsAt }) => startsAt !== undefined);
  const seen = await inTurns(100 * segments.length, seenMarkers({ reading, hasDates, format: 'hls' }));
  return seen && { ...seen, warnings };
}

/** Samples the first of redundant variants; if its media cannot be read, the next one. */
async function sampleInTurn(fetched: FetchedPlaylists, reader: MediaReader, markers: MarkerOptions): Promise<Sampling> {
  const refusals: Refusal[] = [];
  let best: SampledOrigin | undefined;
  for (const playlists of redundantChoices(fetched)) {
    const warnings = fetched.playlists.filter((one) => !playlists.includes(one)).map(asRedundant);
    const chosen = { ...fetched, playlists, warnings: [...fetched.warnings, ...warnings] };
    const sampled = await sampleFetched(chosen, reader, markers);
    if ('refused' in sampled) refusals.push(sampled);
    else if (sampled.renditions.length > (best?.renditions.length ?? 0)) best = sampled;
    const keys = best?.renditions.map(({ id }) => id) ?? [];
    if (playlists.every(({ key, source }) => source.role !== 'variant' || keys.includes(key))) break;
  }
  if (best !== undefined) return best;
  const refused = [...new Set(refusals.map((each) => each.refused))].join('; ');
  return { ...refusals[0], refused };
}

const asRedundant = ({ source, redundant }: FetchedPlaylist): string =>
  `${source.where} is redundant (${redundant.at(-1)} has the same attributes): it is used when that one fails`;

/** The playlists with one of each set of redundant variants: the first of each, then the second, and so on. */
function redundantChoices({ playlists }: FetchedPlaylists): (readonly FetchedPlaylist[])[] {
  const nameOf = ({ source, redundant, key }: FetchedPlaylist) =>
    source.role === 'variant' ? [...redundant].sort().join('\n') : key;
  const sets = [...groupBy(playlists, nameOf).values()];
  const count = Math.max(1, ...sets.map(({ length }) => length));
  return Array.from({ length: count }, (_, index) => {
    const chosen = sets.map((set) => set[Math.min(index, set.length - 1)]);
    return playlists.filter((one) => chosen.includes(one));
  });
}

async function sampleFetched(from: FetchedPlaylists, reader: MediaReader, markers: MarkerOptions): Promise<Sampling> {
  const { name, unusable, playlists } = from;
  const warnings = [...from.warnings];
  const media = playlists.filter(({ source }) => source.role !== 'text');
  if (!isNonEmpty(media))
    return defined(refuseUnusable(name, [], unusable, warnings), 'nothing can be played without media');
  const sampled = await inTurns(0, takeSample(playlists, media, warnings));
  if ('refused' in sampled) return sampled;
  const open = createTrackOpener(reader);
  const all = await Promise.all(
    sampled.map(async (each) => {
      const opened = await openSource(each.source, each.track, open);
      return 'refusal' in opened ? opened : { ...each, ...opened };
    }),
  );
  const opened = all.filter((each) => 'facts' in each);
  const unread = all.filter((each) => 'refusal' in each);
  const refusal = refuseUnusable(name, opened, [...unusable, ...unread], warnings);
  if (refusal !== undefined) return refusal;
  const { videos, audios, texts, warnings: ofChoice } = chooseRenditions(opened);
  warnings.push(...unread.map(leftOut), ...ofChoice, ...sameVoices(opened, audios, ofChoice));
  return await describe(from, [...videos, ...audios, ...texts], markers, warnings);
}

/** Audio that is left out because another playlist has the same. */
const sameVoices = (opened: readonly Opened[], chosen: readonly Opened[], named: readonly string[]): string[] =>
  opened
    .filter((each) => each.facts.kind === 'audio' && !chosen.includes(each))
    .map(({ source }) => source.where)
    .filter((where) => !named.some((warning) => warning.startsWith(`${where} `)))
    .map((where) => `${where} is left out: another rendition has the same audio, and is that of the best variant`);

/** @param media the playlists without text */
function* takeSample(
  playlists: readonly FetchedPlaylist[],
  media: NonEmpty<FetchedPlaylist>,
  warnings: string[],
): Sliced<Sampled[] | Refusal> {
  yield;
  const [first] = media;
  const { lists, by } = yield* windowTimes(media);
  const hasDates = media.every(({ timed }) => timed[0]?.startsAt !== undefined);
  if (by !== 'date')
    warnings.push(
      hasDates
        ? 'the EXT-X-PROGRAM-DATE-TIME of the renditions do not overlap; check that the encoder writes the same dates in all of them'
        : 'not all playlists have EXT-X-PROGRAM-DATE-TIME; without it, renditions are aligned by number, and times of breaks are those at which Midroll reads them',
    );
  for (const { list, times } of lists) {
    yield;
    if (shareBorder(lists[0].times, times, ALIGNED_MS)) continue;
    const { source } = list;
    const fault = `no segment border in common with ${first.source.where}`;
    if (source.role === 'variant')
      return { refused: `${source.where} has ${fault}; let the encoder cut all renditions at the same instants` };
    warnings.push(`${source.where} has ${fault}; no break can start or end there`);
  }
  const runs = yield* sampleWindow(lists);
  if ('misfit' in runs) {
    const { where } = runs.misfit.source;
    const refused =
      runs.misfit === first
        ? `${where} lists no segment that can be measured: all are missing (EXT-X-GAP)`
        : `${where} lists no segments of the same time as ${first.source.where}; let the encoder write all renditions at the same time`;
    return { code: 'NO_SEGMENT', refused };
  }
  const runOf = new Map(lists.map(({ list }, index) => [list, runs[index]]));
  const sampled: Sampled[] = [];
  // Texts are placed by dates, even where not all other playlists have them.
  const dates = media.length === playlists.length ? undefined : yield* datedTimes(first);
  for (const each of playlists) {
    const run = runOf.get(each) ?? (yield* sampleText(each, dates, runs[0]));
    if (run === undefined) {
      warnings.push(`${each.source.where} is left out: it lists no segment`);
      continue;
    }
    const placed = each.placed.slice(run.from, run.to);
    invariant(isNonEmpty(placed), 'a run has at least one segment');
    const track = yield* trackOf(placed, each.url);
    if ('refused' in track) return { ...track, refused: `${each.source.where}: ${track.refused}` };
    sampled.push({ ...each, track });
  }
  return sampled;
}

async function describe(
  { url }: FetchedPlaylists,
  chosen: readonly Opened[],
  markers: MarkerOptions,
  warnings: readonly string[],
): Promise<SampledOrigin> {
  const media = chosen.filter(({ facts }) => facts.kind !== 'text');
  const { timed, playlist } = defined(media[0], 'a sample has audio or video');
  const found = await inTurns(100 * timed.length, rungSignals(media, markers));
  const listed = await inTurns(100 * timed.length, listedIn(chosen));
  const seconds = flicksToSeconds(flicks(timed.reduce((sum, { duration }) => sum + duration, 0)));
  const renditions = chosen.map((each) => renditionOf(each, each.key, [each.track]));
  const own = chosen.map(({ key, segments }) => ({ key, segments }));
  const reading = { renditions: own, ...found, isEnded: playlist.ended };
  const window = { seconds, segments: timed.length };
  return { format: 'hls', url, warnings, renditions, window, ...listed, reading };
}

/** What all playlists state, one in each slice. */
function* listedIn(
  chosen: readonly Opened[],
): Sliced<Pick<SampledOrigin, 'targetDuration' | 'hasDates' | 'encryption'>> {
  let [targetDuration, hasDates] = [1, true];
  const methods = new Set<string>();
  for (const each of chosen) {
    yield;
    for (const method of methodsOf(each)) methods.add(method);
    if (each.facts.kind === 'text') continue;
    targetDuration = Math.max(targetDuration, targetDurationOf(each));
    hasDates &&= each.timed.every(({ startsAt }) => startsAt !== undefined);
  }
  return { targetDuration, hasDates, encryption: [...methods] };
}

const targetDurationOf = ({ playlist: { targetDuration = 0 }, timed }: FetchedPlaylist): number =>
  timed.reduce((most, { duration }) => Math.max(most, Math.round(flicksToSeconds(duration))), targetDuration);

const methodsOf = ({ playlist }: FetchedPlaylist): string[] =>
  // Segments share the list of the tags in force.
  [...new Set(playlist.segments.map(({ keys }) => keys))].flat().map((key) => key.get('METHOD')?.value ?? '');
