// SPDX-License-Identifier: Apache-2.0
// What an analysis of a live origin finds out.
import type { BreakFact } from '../../live/breaks/breakFact.ts';
import { addingSignals } from '../../live/breaks/breakList.ts';
import type { OriginReading, OriginRendition } from '../../live/origin.ts';
import { between } from '../../live/programme/between.ts';
import type { PlacedSignal } from '../../live/slot.ts';
import { numberAt } from '../../time/row.ts';
import type { Sliced } from '../../time/sliced.ts';
import { flicks, flicksToMillis, flicksToSeconds, type Millis, millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { NominalRendition, Refusal } from '../source/presentation.ts';

/** `line`: of the manifest or the playlist. */
export type OriginWarning = { readonly line?: number; readonly text: string };

export type SeenBreak = {
  /** Absent if the origin states no dates, or the break began before what it lists. */
  readonly startsAt?: Millis;
  /** Seconds from the start of what the origin lists to that of the break; absent if the break began before. */
  readonly offset?: number;
  /** The same for the end that a marker states. */
  readonly endOffset?: number;
  /** Seconds, as announced. */
  readonly duration?: number;
  /** The end that a marker states. */
  readonly endsAt?: Millis;
  readonly source: string;
  readonly raw: string;
  readonly line: number;
  readonly upid?: string;
};

export type PlayableOrigin = {
  readonly format: 'hls' | 'dash';
  /** The formats that sessions may have. */
  readonly serves: 'hls' | 'dash' | 'both';
  /** For HLS: why DASH cannot be made from it. */
  readonly noDash?: string;
  /** For DASH: why HLS cannot be made from it. Only linear channels make it. */
  readonly noHls?: string;
  /** The newest segments, measured. The id of a rendition is its key in the origin. Media times may be moved. */
  readonly asset: Asset;
  /** Seconds. */
  readonly targetDuration: number;
};

export type OriginAnalysis = {
  readonly url: string;
  /** Absent if the URL leads to no manifest. */
  readonly format?: 'hls' | 'dash';
  /** Absent if there is a problem that prevents playback. */
  readonly playable?: PlayableOrigin;
  readonly window?: { readonly seconds: number; readonly segments: number };
  /** Whether it states when its segments start: EXT-X-PROGRAM-DATE-TIME, or MPD@availabilityStartTime. */
  readonly hasDates?: boolean;
  readonly breaks: readonly SeenBreak[];
  readonly warnings: readonly OriginWarning[];
  /** What will not work, and why: one sentence each. */
  readonly problems: readonly string[];
};

// What a first look at a live origin found, before a channel uses it: what is needed to measure its renditions, and what
// operators should know. The HLS and the DASH reader share this form.

export type SampledOrigin = {
  readonly format: 'hls' | 'dash';
  /** The URL of the manifest, after redirects. */
  readonly url: string;
  /**
   * The newest segments that all renditions share, two or three where there are as many: one track each, without a
   * discontinuity. `id` is the key of the rendition (`RungSource.key`). Text may have other segments than the others.
   */
  readonly renditions: readonly NominalRendition[];
  /** Seconds: EXT-X-TARGETDURATION, or the longest segment. */
  readonly targetDuration: number;
  /** What the manifest lists of the first rendition. */
  readonly window: { readonly seconds: number; readonly segments: number };
  /** True if the origin states instants (EXT-X-PROGRAM-DATE-TIME); always in DASH. */
  readonly hasDates: boolean;
  /** `METHOD` of EXT-X-KEY (`AES-128`), or `schemeIdUri` of ContentProtection; each once, empty if all is clear. */
  readonly encryption: readonly string[];
  /** The whole window: of all renditions that are not left out, in the order of `renditions`, and the markers in it. */
  readonly reading: OriginReading & {
    /** What the first rendition lists before the segments of the reading. */
    readonly earlier?: { readonly startsAt: Instant };
  };
  /** One sentence each: what is left out, what will not work, and why. */
  readonly warnings: readonly string[];
};

export type Sampling = SampledOrigin | Refusal;

/** The ad markers that the manifests of an origin list, on the timeline. */
export type SeenMarkers = {
  readonly signals: readonly PlacedSignal[];
  readonly start: Instant;
  readonly edge: Instant;
  readonly isDated: boolean;
  /** One sentence each. */
  readonly warnings?: readonly string[];
};

/** An origin that cannot be used, with the markers in those of its manifests that can be read. */
export type UnusableOrigin = Refusal & { readonly seen?: SeenMarkers | undefined };

// Whether two renditions have a segment border at one instant: a break can start and end there.

/** Dates of stretches may be out of order. */
function ascending(times: readonly number[]): ArrayLike<number> {
  const isAscending = times.every((time, index) => index === 0 || time >= numberAt(times, index - 1));
  return isAscending ? times : Float64Array.from(times).sort();
}

/** @param tolerance borders that are closer are one border */
export function shareBorder(a: readonly number[], b: readonly number[], tolerance: number): boolean {
  const [own, others] = [ascending(a), ascending(b)];
  for (let [at, other] = [0, 0]; at < own.length && other < others.length; ) {
    const distance = numberAt(others, other) - numberAt(own, at);
    if (Math.abs(distance) <= tolerance) return true;
    if (distance > 0) at += 1;
    else other += 1;
  }
  return false;
}

// The breaks in one reading of an origin, as a channel would find them.

/** Dates that go back or ahead further than this do not belong to one timeline. */
const BACK_MS = 1000;
const AHEAD_MS = 24 * 3_600_000;
/** Segments. */
const IN_SLICE = 5000;
/** Times count from here where the origin states no dates. They are not shown. */
const UNDATED: Instant = { millis: millis(0), rest: flicks(0) };

/** The start of the first segment, by its date, or by the first date that a later segment has. */
function firstStart(segments: OriginRendition['segments']): Instant {
  const index = segments.findIndex(({ startsAt }) => startsAt !== undefined);
  const dated = segments[index]?.startsAt;
  const before = segments.slice(0, Math.max(index, 0)).reduce((sum, { duration }) => sum + duration, 0);
  return dated === undefined ? UNDATED : after(dated, flicks(-before));
}

/** Where segments start, by their number, and where the last one ends. Dates that jump are not used, as on air. */
function* startsOf({ segments }: OriginRendition, wanted: ReadonlySet<number>) {
  const starts = new Map<number, Instant>();
  let end = firstStart(segments);
  for (const [index, { number, startsAt: stated = end, duration }] of segments.entries()) {
    if (index % IN_SLICE === IN_SLICE - 1) yield;
    const step = stated.millis - end.millis;
    const startsAt = step < -BACK_MS || step > AHEAD_MS ? end : stated;
    if (wanted.has(number)) starts.set(number, startsAt);
    end = after(startsAt, duration);
  }
  const last = segments.at(-1);
  if (last !== undefined) starts.set(last.number + 1, end);
  return { starts, end };
}

/** @returns undefined if the first rendition lists no segment */
export function* seenMarkers(
  of: Pick<SampledOrigin, 'reading' | 'hasDates' | 'format'>,
): Sliced<SeenMarkers | undefined> {
  const { reading, hasDates, format } = of;
  const [rendition] = reading.renditions;
  const [segment] = rendition?.segments ?? [];
  if (rendition === undefined || segment === undefined) return undefined;
  const numbers = new Set([segment.number, ...reading.signals.map(({ number }) => number)]);
  const { starts, end: edge } = yield* startsOf(rendition, numbers);
  const start = reading.earlier?.startsAt ?? starts.get(segment.number) ?? UNDATED;
  const signals = reading.signals.flatMap(({ number, offset, ...signal }): PlacedSignal[] => {
    const at = starts.get(number);
    return at === undefined ? [] : [{ ...signal, at: after(at, offset) }];
  });
  return { signals, start, edge, isDated: hasDates || format === 'dash' };
}

export function* seenBreaks(seen: SeenMarkers | undefined, now: Millis) {
  if (seen === undefined) return { breaks: [], warnings: [] };
  const { start, edge, isDated } = seen;
  const signals = seen.signals.toSorted((a, b) => a.at.millis - b.at.millis || a.at.rest - b.at.rest);
  // What is listed may begin within a break; its end is no mistake of the packager.
  const first = signals.findIndex(({ kind, isOther }) => kind === 'out' || kind === 'continue' || isOther);
  const heard = signals.filter(({ kind }, index) => kind === 'unread' || (first >= 0 && index >= first));
  const { breaks, warnings } = yield* addingSignals(undefined, heard, now, { start, edge });
  yield;
  return {
    breaks: breaks.filter(isListed).map((fact) => {
      const { startsAt, duration, endsAt, source, raw, line, upid } = fact;
      const isKnown = fact.start !== 'unknown';
      return {
        ...(isDated && isKnown ? { startsAt: toMillis(startsAt) } : {}),
        ...(isKnown ? { offset: secondsBetween(start, startsAt) } : {}),
        ...(duration === undefined ? {} : { duration: flicksToSeconds(duration) }),
        ...(isDated && endsAt !== undefined ? { endsAt: toMillis(endsAt) } : {}),
        ...(endsAt === undefined ? {} : { endOffset: secondsBetween(start, endsAt) }),
        source,
        raw,
        line,
        ...(upid === undefined ? {} : { upid }),
      };
    }),
    warnings: warnings.map(({ line, text }) => ({ line, text })),
  };
}

/** False if it ended before what is listed: an MPD also states earlier events. */
const isListed = ({ duration, endsAt, isInsertionPoint }: BreakFact): boolean =>
  isInsertionPoint === true || endsAt !== undefined || duration !== 0;

/** To a microsecond: flicks of rounded EXTINF values are not shown. */
const secondsBetween = (from: Instant, to: Instant): number =>
  Math.round(flicksToSeconds(between(from, to)) * 1e6) / 1e6;

const toMillis = ({ millis: whole, rest }: Instant): Millis => millis(whole + flicksToMillis(rest));
