// SPDX-License-Identifier: Apache-2.0
// The cut points of an asset: instants at which every rendition has a segment border, so that a span can end there in all of
// them.
import { defined } from '../../invariant.ts';
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks, ticksToFlicks } from '../../time/units.ts';
import { borderAt, endOf, type RenditionKind } from './asset.ts';
import {
  type ComparedTrack,
  type CutWarning,
  endWarning,
  excessWarning,
  movedWarning,
  noCommonBorderWarning,
  startWarning,
  unstatedWarning,
} from './cutWarnings.ts';

/** What cutting needs of a rendition in one part. */
export type CutTrack = {
  /** For warnings. */
  readonly id: string;
  readonly kind: RenditionKind;
  readonly timescale: number;
  readonly borders: Float64Array;
  /** How much earlier browsers place it (asset.ts), and how much they shift it by an edit list; ticks. */
  readonly ignoredDelay?: number;
  readonly moved?: number;
  readonly codecs: string;
  /** For audio: samples per second. */
  readonly sampleRate?: number;
  readonly frameRate?: FrameRate;
};

export type Cuts = {
  /** The media time at which the part starts. */
  readonly zero: Flicks;
  /** The duration of the video segments, or up to the last cut point if renditions end apart and that loses little. */
  readonly duration: Flicks;
  /** Flicks after `zero`, ascending, 0 and `duration` included. */
  readonly cutPoints: Float64Array;
  /** How much later than `zero` the renditions start that are late by this much throughout, by id. */
  readonly lags: ReadonlyMap<string, Flicks>;
  readonly warnings: readonly CutWarning[];
};

type Compared = ComparedTrack & {
  /** How far from a border of the reference a border may be to count as the same border. */
  readonly reach: number;
};

/**
 * Video with reordered frames and no edit list starts two or three frames late in media time, and so does each of its
 * segments. The offset exists at every cut, so it is no reason to cut only at the ends.
 */
const MAX_LAG = FLICKS_PER_SECOND / 10;
/** A part may be ended early if that loses at most one segment and at most this share of the part. */
const MAX_LOST_SHARE = 1 / 20;
/** Players skip gaps up to about this duration; at a longer gap playback stops. */
const MAX_GAP = FLICKS_PER_SECOND / 2;

/** Samples of an audio frame (ISO/IEC 14496-3 4.5.1.1; ETSI TS 102 366 §4.1); HE-AAC has twice as many as its core. */
function audioFrame(codecs: string, sampleRate: number): number {
  if (/(^|,)(ac-3|ec-3)/.test(codecs)) return 1536;
  if (/(^|,)opus/i.test(codecs)) return 960;
  return /mp4a\.40\.(5|29)\b/.test(codecs) && sampleRate > 24_000 ? 2048 : 1024;
}

const tickOf = (timescale: number): number => Math.ceil(FLICKS_PER_SECOND / timescale);

const delayOf = ({ ignoredDelay = 0, timescale }: CutTrack): number => ticksToFlicks(ignoredDelay, timescale);

/** @param reference its borders, in flicks, are `own` */
function compare(track: CutTrack, reference: CutTrack, own: Float64Array): Compared {
  const nominal = track.borders.map((border) => ticksToFlicks(border, track.timescale));
  const start = borderAt(nominal, 0) - borderAt(own, 0);
  const startInBrowsers = start - delayOf(track) + delayOf(reference);
  const { reach, slack } = track.kind === 'audio' ? audioReach(track) : videoReach(track, reference);
  const shared = (borders: Float64Array): number => own.subarray(1).filter(withBorderNear(borders, reach)).length;
  const shifted = nominal.map((border) => border - start);
  const isLag = Math.abs(start) <= MAX_LAG && shared(shifted) > shared(nominal);
  return { id: track.id, start, startInBrowsers, borders: isLag ? shifted : nominal, isLag, reach, slack };
}

/** Audio is cut between its frames, so a border may be up to half a frame away; exactly half occurs with 25 fps at 48 kHz. */
function audioReach({ codecs, timescale, sampleRate = 48_000 }: CutTrack): Pick<Compared, 'reach' | 'slack'> {
  const samples = audioFrame(codecs, sampleRate);
  const frame = (samples * FLICKS_PER_SECOND) / sampleRate;
  // If a frame is not a whole number of ticks, a border exactly half a frame away may have been rounded.
  const rounding = (samples * timescale) % sampleRate === 0 ? 0 : tickOf(timescale);
  return { reach: Math.floor(frame / 2) + rounding, slack: Math.ceil(frame) + rounding };
}

/** Video must be cut at the same instant, except for the rounding of a tick. */
function videoReach({ timescale, frameRate }: CutTrack, reference: CutTrack): Pick<Compared, 'reach' | 'slack'> {
  const { n, d } = frameRate ?? { n: 25, d: 1 };
  const tick = Math.max(tickOf(timescale), tickOf(reference.timescale));
  return { reach: tick, slack: Math.ceil((FLICKS_PER_SECOND * d) / n) + tick };
}

/**
 * Finds the cut points of one part.
 * @param tracks all tracks of the part, with video or audio among them. Text does not limit cut points. The first track
 * with video is the reference
 */
export function findCutPoints(tracks: readonly CutTrack[]): Cuts {
  const played = tracks.filter(({ kind }) => kind !== 'text');
  const reference = played.find(({ kind }) => kind !== 'audio') ?? defined(played[0], 'a part has video or audio');
  const own = reference.borders.map((border) => ticksToFlicks(border, reference.timescale));
  const others = played.filter((track) => track !== reference).map((track) => compare(track, reference, own));
  const zero = flicks(startOf(reference, own));
  const end = endOf(own);

  let common = own.subarray(1, -1);
  for (const { borders, reach } of others) common = common.filter(withBorderNear(borders, reach));

  const ragged = others.filter(({ borders, slack }) => distance(borders, end) > slack);
  const gap = Math.max(0, ...ragged.map(({ borders }) => end - endOf(borders)));
  const acceptable = gap > MAX_GAP ? gap + longest(own) : Math.min(longest(own), (end - zero) * MAX_LOST_SHARE);
  const last = common.at(-1);
  const ending = ragged.length > 0 && last !== undefined && end - last <= acceptable ? last : end;
  const inner = common.filter((border) => border > zero && border < ending);
  return {
    zero,
    duration: flicks(ending - zero),
    cutPoints: Float64Array.from([0, ...inner.map((border) => border - zero), ending - zero]),
    lags: new Map(others.flatMap(({ id, start, isLag }) => (isLag ? [[id, flicks(start)]] : []))),
    warnings: [
      ...unstatedWarning(reference.id, zero - borderAt(own, 0)),
      ...movedWarning(reference),
      ...others.flatMap((track) => startWarning(track, reference.id)),
      ...ragged.map((track) => endWarning(track, reference.id, end, ending)),
      ...others.filter((track) => !ragged.includes(track)).flatMap((track) => excessWarning(track, reference.id, end)),
      ...(inner.length === 0 && own.length > 2 && ending === end
        ? [noCommonBorderWarning(reference.id, unalignedTrack(own, others))]
        : []),
    ],
  };
}

/**
 * MPDs state no media times before 0 (ISO/IEC 23009-1 5.3.9.6.2), which an edit list may lead to. Audio can be cut there. Players
 * skip to the next key frame of video that begins before its Period, so it starts with a segment, unless it lasts a frame.
 */
function startOf(reference: CutTrack, own: Float64Array): number {
  const [first, end] = [borderAt(own, 0), endOf(own)];
  if (first >= 0 || end <= 0) return first;
  if (reference.kind === 'audio' || -first <= videoReach(reference, reference).slack) return 0;
  const later = own.find((border) => border >= 0) ?? end;
  return later < end ? later : 0;
}

/** Whether `borders` has one within `reach` of an instant. Must be called with ascending instants: it scans both once. */
function withBorderNear(borders: Float64Array, reach: number): (instant: number) => boolean {
  let at = 0;
  return (instant) => {
    const distanceAt = (index: number): number => Math.abs(borderAt(borders, index) - instant);
    while (distanceAt(at + 1) <= distanceAt(at)) at += 1;
    return distanceAt(at) <= reach;
  };
}

/** A track that has none of the reference's inner borders. */
const unalignedTrack = (own: Float64Array, others: readonly Compared[]): Compared | undefined =>
  others.find(({ borders, reach }) => own.subarray(1, -1).filter(withBorderNear(borders, reach)).length === 0);

const distance = (borders: Float64Array, instant: number): number =>
  borders.reduce((least, border) => Math.min(least, Math.abs(border - instant)), Number.POSITIVE_INFINITY);

const longest = (borders: Float64Array): number =>
  borders.reduce((most, border, i) => (i === 0 ? 0 : Math.max(most, border - borderAt(borders, i - 1))), 0);
