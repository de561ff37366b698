// SPDX-License-Identifier: Apache-2.0
// The cut points of an asset: instants at which every rendition has a segment border, so that a span can end there in all of
// them.
import { defined } from '../../invariant.ts';
import {
  FLICKS_PER_SECOND,
  type Flicks,
  type FrameRate,
  flicks,
  flicksToSeconds,
  ticksToFlicks,
} from '../../time/units.ts';
import { borderAt, endOf, type RenditionKind } from './asset.ts';

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

type Cuts = {
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

// Warnings about renditions that do not start or end together: what viewers may notice, one sentence each.

type CutWarning = {
  readonly code:
    | 'STARTS_LATE'
    | 'STARTS_EARLY'
    | 'ENDS_LATE'
    | 'ENDS_EARLY'
    | 'NO_COMMON_BORDER'
    | 'EMPTY_EDIT'
    | 'EDIT_LIST'
    | 'BEFORE_ZERO';
  /** True when the rendition is late or early by the same amount throughout. */
  readonly isLag?: true;
  /** True when the last segments of the part are not shown. */
  readonly isCut?: true;
  readonly text: string;
};

/** A rendition compared with the reference; times in flicks. */
type Compared = {
  readonly id: string;
  /** How much later than the reference its media start, and how much later they start in browsers. */
  readonly start: number;
  readonly startInBrowsers: number;
  /** Its borders, without its lag if it has one. */
  readonly borders: Float64Array;
  /** True when all of it is late by `start`. */
  readonly isLag: boolean;
  /** How far from a border of the reference a border may be to count as the same border. */
  readonly reach: number;
  /** One frame: the difference in duration that is not worth a warning. */
  readonly slack: number;
};

const seconds = (duration: number): string => `${flicksToSeconds(Math.abs(duration) as Flicks).toFixed(3)} s`;

const inHls = 'in HLS, players may have a gap of this length at each cut; DASH compensates it';
const gap = 'players have a gap of this length';

/** Chromium bridges gaps of up to two frames, which are 43 ms of AAC at 48 kHz. */
const UNNOTICED = FLICKS_PER_SECOND / 25;

/** Browsers apply edit lists, but hls.js computes times without them, so the two differ at each border of a span. */
function movedWarning({ id, moved = 0, timescale }: CutTrack): CutWarning[] {
  const duration = ticksToFlicks(moved, timescale);
  if (Math.abs(duration) <= UNNOTICED) return [];
  const text = `the edit list of ${id} shifts it by ${seconds(duration)}; in HLS, hls.js has a gap of this length at each cut; DASH is not affected`;
  return [{ code: 'EDIT_LIST', text }];
}

/** @param unstated how much of its start is not shown. What audio repeats while its decoder starts is not content */
function unstatedWarning(id: string, unstated: number): CutWarning[] {
  if (unstated <= UNNOTICED) return [];
  const text = `the edit list of ${id} moves its start to before media time 0, which DASH cannot state; the first ${seconds(unstated)} are not shown`;
  return [{ code: 'BEFORE_ZERO', text }];
}

const offset = (start: number): string => `${seconds(start)} ${start > 0 ? 'after' : 'before'}`;

function startWarning(track: Compared, reference: string): CutWarning[] {
  const { id, start, startInBrowsers, isLag, slack } = track;
  if (startInBrowsers !== start && Math.abs(startInBrowsers) > slack) {
    const text = `browsers ignore the empty edit at the start of ${id} and start it ${offset(startInBrowsers)} ${reference} instead of ${offset(start)}; ${inHls}`;
    return [{ code: 'EMPTY_EDIT', ...(isLag ? { isLag } : {}), text }];
  }
  if (Math.abs(start) <= slack) return [];
  const starts = `${id} starts ${offset(start)} ${reference}`;
  const code = start > 0 ? 'STARTS_LATE' : 'STARTS_EARLY';
  if (isLag) return [{ code, isLag, text: `${starts} and keeps this distance; ${inHls}` }];
  const effect = start > 0 ? gap : 'the excess is cut off or overlaps the preceding media';
  return [{ code, text: `${starts}; ${effect}` }];
}

/** @param ending the end of the part; before `end` when its last segments are not used */
function endWarning({ id, borders }: Compared, reference: string, end: number, ending: number): CutWarning {
  const late = endOf(borders) - end;
  const code = late > 0 ? 'ENDS_LATE' : 'ENDS_EARLY';
  const ends = `${id} ends ${offset(late)} ${reference}`;
  if (ending < end) {
    const text = `${ends}; the last ${seconds(end - ending)} are not shown, so that all renditions end together`;
    return { code, isCut: true, text };
  }
  const effect = late > 0 ? 'the excess is cut off or overlaps the following media' : gap;
  return { code, text: `${ends}; ${effect}` };
}

/** A rendition with a border at the end of the part, and with segments after it. */
function excessWarning({ id, borders, slack }: Compared, reference: string, end: number): CutWarning[] {
  const late = endOf(borders) - end;
  if (late <= slack) return [];
  const text = `${id} ends ${offset(late)} ${reference}; its last ${seconds(late)} are not shown, because the part ends with ${reference}`;
  return [{ code: 'ENDS_LATE', isCut: true, text }];
}

/** @param unaligned the rendition that has no border of the reference, if there is a single one */
function noCommonBorderWarning(reference: string, unaligned: Compared | undefined): CutWarning {
  const subject = unaligned === undefined ? 'the other renditions together have' : `${unaligned.id} has`;
  const text = `${subject} no segment border in common with ${reference}; breaks are possible only at the start and end of the asset`;
  return { code: 'NO_COMMON_BORDER', text };
}
