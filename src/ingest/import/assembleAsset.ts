// SPDX-License-Identifier: Apache-2.0
// Assembles an asset from the renditions of a manifest: measures them, decides which can be used and have the same parts, and
// where the asset may be cut. Warnings state what players will notice.
import { cutUrls } from '../../dash/read/readSegments.ts';
import { defined } from '../../invariant.ts';
import { MPEG_TIMESCALE, unwrapTime } from '../../time/mpegClock.ts';
import { firstNumber, lastNumber, numberAt } from '../../time/row.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks, flicksToTicks, ticksToFlicks } from '../../time/units.ts';
import {
  type Asset,
  hasVideo,
  type Part,
  type Rendition,
  type RenditionKind,
  type Track,
} from '../../timeline/asset/asset.ts';
import { type CutTrack, findCutPoints } from '../../timeline/asset/cutPoints.ts';
import { type MeasuredRendition, type MeasureTools, measureRendition } from '../measure/measureRendition.ts';
import { createTrackOpener } from '../measure/openTrack.ts';
import { refuseUnread } from '../measure/openTransport.ts';
import type { Origin } from '../ports.ts';
import { createMediaReader } from '../source/mediaReader.ts';
import type { NominalRendition, NominalTrack, Refusal } from '../source/presentation.ts';

/** The latest media time, in seconds: 147 days, after which flicks exceed the safe integers. */
const LATEST = Math.floor(Number.MAX_SAFE_INTEGER / FLICKS_PER_SECOND);
/** The difference, in seconds, up to which two rounded times in manifests count as the same. */
const TOLERANCE = 0.05;

export type Assembled = Pick<Asset, 'parts' | 'renditions' | 'warnings' | 'duration'>;

export function createMeasureTools(origin: Origin): MeasureTools {
  const sizes = new Map<NominalTrack, Map<number, number>>();
  const reader = createMediaReader(origin, (track, index, bytes) => {
    sizes.set(track, (sizes.get(track) ?? new Map<number, number>()).set(index, bytes));
  });
  return { reader, open: createTrackOpener(reader), sizes };
}

/** Measures the renditions of a manifest. Leaves out one that cannot be measured if another one can replace it. */
export async function measureAll(
  renditions: readonly NominalRendition[],
  tools: MeasureTools,
): Promise<{ renditions: MeasuredRendition[]; warnings: string[] } | Refusal> {
  const measuring = renditions.map(async (nominal) => ({ nominal, measured: await measureRendition(nominal, tools) }));
  const all = await Promise.all(measuring);
  const kept: MeasuredRendition[] = [];
  const warnings: string[] = [];
  for (const { nominal, measured } of all) {
    const { kind, where } = nominal;
    if (!('refused' in measured)) {
      kept.push(measured);
      const unread = measured.unread.map(({ name }) => `${where}: its ${name} stream is left out; it cannot be read`);
      warnings.push(...unread);
    } else if (all.some((other) => !('refused' in other.measured) && canReplace(other.nominal.kind, kind))) {
      warnings.push(`${where} is left out: ${measured.refused}`);
    } else return { ...measured, refused: `${where}: ${measured.refused}` };
  }
  if (kept.some(({ rendition }) => rendition.kind !== 'text'))
    return refuseUnreadOnly(kept) ?? { renditions: kept, warnings };
  const refused = ['it must have video or audio that Midroll can read', ...warnings.slice(0, 5)].join('; ');
  return { code: 'NOTHING_PLAYABLE', refused };
}

/** Whether an asset can do without a rendition if it has another one. It can always do without text. */
const canReplace = (other: RenditionKind, missing: RenditionKind): boolean =>
  missing === 'text' || other === missing || other === 'muxed';

/** Refuses an asset whose only audio or only video is in streams that cannot be read. */
function refuseUnreadOnly(kept: readonly MeasuredRendition[]): Refusal | undefined {
  for (const kind of ['audio', 'video'] as const) {
    const unread = kept.flatMap((each) => each.unread.filter((stream) => stream.kind === kind));
    if (!has(kept, kind) && !has(kept, 'muxed') && unread.length > 0)
      return refuseUnread(`its only ${kind} stream is`, unread.slice(0, 1));
  }
  return undefined;
}

/** @param measured video first; the majority decides how many parts there are */
export function assembleAsset(measured: readonly MeasuredRendition[]): Assembled | Refusal {
  const warnings: string[] = [];
  const reference = referenceOf(measured);
  const late = measured.find(({ rendition, isFloating }) => !isFloating && isBeyond(rendition));
  if (late !== undefined) {
    return { refused: `${late.where}: media times must be at most ${LATEST} s (147 days); its times are later` };
  }
  const fitting: MeasuredRendition[] = [];
  for (const each of measured) {
    const misfit = misfitOf(each, reference);
    if (misfit !== undefined) warnings.push(`${each.where} is left out: ${misfit}`);
    else fitting.push(each.rendition.container === 'ts' ? unwrapped(reference, each) : each);
  }
  if (has(measured, 'audio') && !has(fitting, 'audio') && !has(fitting, 'muxed')) {
    return { refused: `no audio rendition matches the video: ${warnings.join('; ')}` };
  }

  const parts: Part[] = [];
  const places: Place[] = [];
  const count = reference.rendition.tracks.length;
  let start = 0;
  let mediaStart = 0; // a part may be shorter than its media
  for (let part = 0; part < count; part += 1) {
    const { zero, duration, cutPoints, lags, warnings: found } = cutPart(fitting, part);
    const where = count > 1 ? `part ${part + 1}: ` : '';
    warnings.push(...found.map(({ text }) => where + text));
    parts.push({ start: flicks(start), duration, zero, cutPoints });
    const [from, to] = [flicks(mediaStart), flicks(mediaStart + lengthOf(reference.rendition, part))];
    places.push({ part, parts: count, zero, end: flicks(zero + duration), from, to, lags });
    mediaStart = to;
    start += duration;
  }
  const renditions = fitting.map(({ rendition, isFloating }) => {
    const tracks = places.map((place) => (isFloating ? placeText : placeTrack)(rendition, place));
    return { ...rendition, tracks };
  });
  return { parts, renditions, warnings, duration: flicks(start) };
}

type Place = {
  readonly part: number;
  readonly parts: number;
  /** The media times at the start and the end of the part. */
  readonly zero: Flicks;
  readonly end: Flicks;
  /** The start and end of the part's media within those of the asset. */
  readonly from: Flicks;
  readonly to: Flicks;
  readonly lags: ReadonlyMap<string, Flicks>;
};

const trackIn = ({ tracks }: Rendition, part: number): Track =>
  defined(tracks[part], 'all renditions of an asset have its parts');

function placeTrack(rendition: Rendition, { part, end, lags }: Place): Track {
  const { id, kind, timescale } = rendition;
  const track = trackIn(rendition, part);
  if (kind === 'text') return track;
  const lag = flicksToTicks(lags.get(id) ?? flicks(0), timescale);
  const shown = trimmed(track, flicksToTicks(end, timescale) + lag);
  return lag === 0 ? shown : { ...shown, lag };
}

const has = (list: readonly MeasuredRendition[], kind: string): boolean =>
  list.some(({ rendition }) => rendition.kind === kind);
const isBeyond = ({ tracks, timescale }: Rendition): boolean =>
  tracks.some(({ borders }) => Math.max(-firstNumber(borders), lastNumber(borders)) / timescale > LATEST);

const lengthOf = (rendition: Rendition, part: number): Flicks => {
  const { borders } = trackIn(rendition, part);
  return ticksToFlicks(lastNumber(borders) - firstNumber(borders), rendition.timescale);
};

/** The first rendition with the most common number of parts. */
function referenceOf(measured: readonly MeasuredRendition[]): MeasuredRendition {
  const videos = measured.filter(({ rendition }) => hasVideo(rendition.kind));
  const candidates = videos.length > 0 ? videos : measured.filter(({ rendition }) => rendition.kind === 'audio');
  const alike = ({ rendition }: MeasuredRendition): number =>
    candidates.filter((other) => other.rendition.tracks.length === rendition.tracks.length).length;
  return candidates.reduce((best, each) => (alike(each) > alike(best) ? each : best));
}

/** Moves the 33-bit time stamps of a rendition near those of the reference: they wrap every 26.5 hours. */
function unwrapped(reference: MeasuredRendition, each: MeasuredRendition): MeasuredRendition {
  const tracks = each.rendition.tracks.map((track, part) => {
    const first = firstNumber(track.borders);
    const { borders } = trackIn(reference.rendition, part);
    const expected = firstNumber(borders) * (MPEG_TIMESCALE / reference.rendition.timescale);
    const shift = unwrapTime(first, expected) - first;
    return shift === 0 ? track : { ...track, borders: track.borders.map((border) => border + shift) };
  });
  return { ...each, rendition: { ...each.rendition, tracks } };
}

/** Why a rendition cannot be played together with the reference. @returns undefined if it can */
function misfitOf(each: MeasuredRendition, reference: MeasuredRendition): string | undefined {
  const [parts, expected] = [each.rendition.tracks.length, reference.rendition.tracks.length];
  const isContinuous = each.isFloating && isUndivided(each.rendition);
  if (parts !== expected && !isContinuous) {
    return `it must have the same discontinuities, keys and maps as ${reference.rendition.id}, which divide that into ${expected} parts; got ${parts}`;
  }
  for (const [part, start] of each.starts.entries()) {
    const other = reference.starts[part];
    if (start === undefined || other === undefined) continue;
    const apart = start / each.rendition.timescale - other / reference.rendition.timescale;
    if (Math.abs(apart) <= TOLERANCE) continue;
    return `its media time must be that of ${reference.rendition.id}, because HLS has one media time for all renditions; it is ${apart.toFixed(3)} s ahead (presentationTimeOffset)`;
  }
  return undefined;
}

function cutPart(fitting: readonly MeasuredRendition[], part: number) {
  const played = fitting.filter(({ rendition }) => rendition.kind !== 'text');
  const cutTracks = played.map(({ rendition, moved }): CutTrack => {
    const { id, kind, timescale, codecs, sampleRate, frameRate } = rendition;
    const { borders, ignoredDelay } = trackIn(rendition, part);
    const rates = { ...(sampleRate && { sampleRate }), ...(frameRate && { frameRate }) };
    const shift = { moved: moved[part] ?? 0, ...(ignoredDelay === undefined ? {} : { ignoredDelay }) };
    return { id, kind, timescale, codecs, borders, ...shift, ...rates };
  });
  return findCutPoints(cutTracks);
}

/** Leaves out the segments whose midpoint is beyond the end of the part. At least one segment remains. */
function trimmed(track: Track, end: number): Track {
  const { borders } = track;
  let count = borders.length - 1;
  while (count > 1 && numberAt(borders, count - 1) + numberAt(borders, count) > 2 * end) count -= 1;
  return count === borders.length - 1 ? track : { ...track, borders: borders.slice(0, count + 1) };
}

// Sidecar text has no media times. Its borders count from the start of the asset or of the part, and are moved to the media
// time of the video here.

/** True if one text playlist spans all parts: a change of keys or initialization sections need not divide text. */
const isUndivided = ({ kind, tracks }: Rendition): boolean => kind === 'text' && tracks.length === 1;

function placeText(rendition: Rendition, { part, parts, zero, from, to }: Place): Track {
  const { timescale, tracks } = rendition;
  const shift = flicksToTicks(zero, timescale);
  if (tracks.length === parts) return shifted(trackIn(rendition, part), shift);
  const [start, end] = [flicksToTicks(from, timescale), flicksToTicks(to, timescale)];
  return shifted(within(trackIn(rendition, 0), start, end), shift - start);
}

const shifted = (track: Track, shift: number): Track => ({ ...track, borders: track.borders.map((b) => b + shift) });

/** The segments that overlap an interval. A segment may overlap several parts, and a part may have none. */
function within(track: Track, start: number, end: number): Track {
  const { borders, urls } = track;
  const count = borders.length - 1;
  let first = 0;
  while (first < count && numberAt(borders, first + 1) <= start) first += 1;
  let last = first;
  while (last < count && numberAt(borders, last) < end) last += 1;
  return { ...track, borders: borders.slice(first, last + 1), urls: cutUrls(urls, { first, end: last }) };
}
