// Measured renditions put together: which of them share parts, where the asset may be cut, and what players will see that is
// not as it should be.
import { TS_TIMESCALE, TS_WRAP } from '../../mpegts/readTransport.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks, flicksToTicks, ticksToFlicks } from '../../time/units.ts';
import type { Asset, Part, Rendition, Track } from '../../timeline/asset.ts';
import { type CutTrack, findCutPoints } from '../../timeline/cutPoints.ts';
import type { MeasuredRendition } from '../measure/measureRendition.ts';
import type { Refusal } from '../source/presentation.ts';
import { isUndivided, placeText, type TextPlace } from '../text/textParts.ts';

/** Flicks are whole up to 147 days. */
const LATEST = Math.floor(Number.MAX_SAFE_INTEGER / FLICKS_PER_SECOND);
/** Manifests round: what they call the same instant may differ by this, in seconds. */
const SAME_INSTANT = 0.05;

export type Assembled = Pick<Asset, 'parts' | 'renditions' | 'warnings' | 'duration'>;

/** @param measured pictures first; most of them decide how many parts there are */
export function assembleAsset(measured: readonly MeasuredRendition[]): Assembled | Refusal {
  const warnings: string[] = [];
  const reference = referenceOf(measured);
  const late = measured.find(({ rendition, isFloating }) => !isFloating && isBeyond(rendition));
  if (late !== undefined) {
    return { refused: `${late.where}: media times of at most ${LATEST} s (147 days) are wanted, its go beyond` };
  }
  const fitting: MeasuredRendition[] = [];
  for (const each of measured) {
    const misfit = misfitOf(each, reference);
    if (misfit !== undefined) warnings.push(`${each.where} is left out: ${misfit}`);
    else fitting.push(each.rendition.container === 'ts' ? nearTo(reference, each) : each);
  }
  if (has(measured, 'audio') && !has(fitting, 'audio') && !has(fitting, 'muxed')) {
    return { refused: `no audio fits the pictures: ${warnings.join('; ')}` };
  }

  const parts: Part[] = [];
  const count = reference.rendition.tracks.length;
  const tracks = fitting.map((): Track[] => []);
  let start = 0;
  let mediaStart = 0; // parts that are ended early are shorter than their media
  for (let part = 0; part < count; part += 1) {
    const { zero, duration, cutPoints, lags, warnings: seen } = cutPart(fitting, part);
    const where = count > 1 ? `part ${part + 1}: ` : '';
    warnings.push(...seen.map(({ text }) => where + text));
    parts.push({ start: flicks(start), duration, zero, cutPoints });
    const mediaEnd = mediaStart + lengthOf(reference.rendition, part);
    const place: TextPlace = { part, parts: count, zero, from: flicks(mediaStart), to: flicks(mediaEnd) };
    fitting.forEach(({ rendition, isFloating }, i) => {
      const track = isFloating ? placeText(rendition, place) : rendition.tracks[part]!;
      const end = flicksToTicks(flicks(zero + duration), rendition.timescale);
      const lag = flicksToTicks(lags.get(rendition.id) ?? flicks(0), rendition.timescale);
      tracks[i]!.push(rendition.kind === 'text' ? track : lagging(ended(track, end), lag));
    });
    mediaStart = mediaEnd;
    start += duration;
  }
  const renditions = fitting.map(({ rendition }, i) => ({ ...rendition, tracks: tracks[i]! }));
  return { parts, renditions, warnings, duration: flicks(start) };
}

const isPicture = ({ kind }: Rendition): boolean => kind === 'video' || kind === 'muxed';
const has = (list: readonly MeasuredRendition[], kind: string): boolean =>
  list.some(({ rendition }) => rendition.kind === kind);
const isBeyond = ({ tracks, timescale }: Rendition): boolean =>
  tracks.some(({ borders }) => Math.max(-borders[0]!, borders.at(-1)!) / timescale > LATEST);

const lengthOf = ({ tracks, timescale }: Rendition, part: number): Flicks => {
  const { borders } = tracks[part]!;
  return ticksToFlicks(borders.at(-1)! - borders[0]!, timescale);
};

/** The first of those that are divided into as many parts as most are. */
function referenceOf(measured: readonly MeasuredRendition[]): MeasuredRendition {
  const pictures = measured.filter(({ rendition }) => isPicture(rendition));
  const candidates = pictures.length > 0 ? pictures : measured.filter(({ rendition }) => rendition.kind === 'audio');
  const alike = ({ rendition }: MeasuredRendition): number =>
    candidates.filter((other) => other.rendition.tracks.length === rendition.tracks.length).length;
  return candidates.reduce((best, each) => (alike(each) > alike(best) ? each : best));
}

/** 90 kHz time stamps begin anew after 26.5 h: a rendition is put into the same round as the reference. */
function nearTo(reference: MeasuredRendition, each: MeasuredRendition): MeasuredRendition {
  const tracks = each.rendition.tracks.map((track, part) => {
    const other = reference.rendition.tracks[part]!.borders[0]! / reference.rendition.timescale;
    const rounds = Math.round((other - track.borders[0]! / TS_TIMESCALE) / (TS_WRAP / TS_TIMESCALE));
    return rounds === 0 ? track : { ...track, borders: track.borders.map((border) => border + rounds * TS_WRAP) };
  });
  return { ...each, rendition: { ...each.rendition, tracks } };
}

/** Why a rendition can't play beside the reference; undefined when it can. */
function misfitOf(each: MeasuredRendition, reference: MeasuredRendition): string | undefined {
  const [parts, wanted] = [each.rendition.tracks.length, reference.rendition.tracks.length];
  const isContinuous = each.isFloating && isUndivided(each.rendition);
  if (parts !== wanted && !isContinuous) {
    return `discontinuities, keys and maps divide it into ${parts} parts, ${reference.rendition.id} into ${wanted}; they must agree`;
  }
  for (const [part, start] of each.starts.entries()) {
    const other = reference.starts[part];
    if (start === undefined || other === undefined) continue;
    const apart = start / each.rendition.timescale - other / reference.rendition.timescale;
    if (Math.abs(apart) <= SAME_INSTANT) continue;
    return `its media time is ${apart.toFixed(3)} s ahead of ${reference.rendition.id}'s (presentationTimeOffset); HLS wants one media time for all`;
  }
  return undefined;
}

function cutPart(fitting: readonly MeasuredRendition[], part: number) {
  const played = fitting.filter(({ rendition }) => rendition.kind !== 'text');
  const cutTracks = played.map(({ rendition, moved }): CutTrack => {
    const { id, kind, timescale, codecs, sampleRate, frameRate, tracks } = rendition;
    const { borders, ignoredDelay } = tracks[part]!;
    return {
      ...{ id, kind, timescale, codecs, borders, moved: moved[part] ?? 0 },
      ...(ignoredDelay === undefined ? {} : { ignoredDelay }),
      ...(sampleRate && { sampleRate }),
      ...(frameRate && { frameRate }),
    };
  });
  return findCutPoints(cutTracks);
}

const lagging = (track: Track, lag: number): Track => (lag === 0 ? track : { ...track, lag });

/** Without the segments whose midpoint lies beyond the part's end; at least one stays. */
function ended(track: Track, end: number): Track {
  const { borders } = track;
  let count = borders.length - 1;
  while (count > 1 && borders[count - 1]! + borders[count]! > 2 * end) count -= 1;
  return count === borders.length - 1 ? track : { ...track, borders: borders.slice(0, count + 1) };
}
