// SPDX-License-Identifier: Apache-2.0
// The breaks in one reading of an origin, as a channel would find them.
import type { BreakFact } from '../../live/breaks/breakFact.ts';
import { addingSignals } from '../../live/breaks/breakList.ts';
import type { OriginRendition } from '../../live/origin.ts';
import { between } from '../../live/programme/between.ts';
import type { PlacedSignal } from '../../live/slot.ts';
import type { Sliced } from '../../time/sliced.ts';
import { flicks, flicksToMillis, flicksToSeconds, type Millis, millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { OriginWarning, SampledOrigin, SeenBreak, SeenMarkers } from './originAnalysis.ts';

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
function* startsOf(
  { segments }: OriginRendition,
  wanted: ReadonlySet<number>,
): Sliced<{ starts: Map<number, Instant>; end: Instant }> {
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
export function* seenMarkers({
  reading,
  hasDates,
  format,
}: Pick<SampledOrigin, 'reading' | 'hasDates' | 'format'>): Sliced<SeenMarkers | undefined> {
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

export function* seenBreaks(
  seen: SeenMarkers | undefined,
  now: Millis,
): Sliced<{ breaks: SeenBreak[]; warnings: OriginWarning[] }> {
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
