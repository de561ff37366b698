// SPDX-License-Identifier: Apache-2.0
// The breaks in one reading of an origin, as a channel would find them.
import type { BreakFact } from '../../live/breaks/breakFact.ts';
import { addSignals } from '../../live/breaks/breakList.ts';
import type { OriginRendition } from '../../live/origin.ts';
import type { PlacedSignal } from '../../live/slot.ts';
import { flicks, flicksToMillis, flicksToSeconds, type Millis, millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { OriginWarning, SeenBreak } from './originAnalysis.ts';
import type { SampledOrigin } from './sampledOrigin.ts';

/** Where each segment starts, by its number, and where the last one ends. Without dates, times count from `fallback`. */
function startsOf({ segments }: OriginRendition, fallback: Instant): { starts: Map<number, Instant>; end: Instant } {
  const starts = new Map<number, Instant>();
  let end = segments[0]?.startsAt ?? fallback;
  for (const { number, startsAt = end, duration } of segments) {
    starts.set(number, startsAt);
    end = after(startsAt, duration);
  }
  const last = segments.at(-1);
  if (last !== undefined) starts.set(last.number + 1, end);
  return { starts, end };
}

export function seenBreaks(
  { reading, hasDates, format }: Pick<SampledOrigin, 'reading' | 'hasDates' | 'format'>,
  now: Millis,
): { breaks: SeenBreak[]; warnings: OriginWarning[] } {
  const [rendition] = reading.renditions;
  if (rendition === undefined || rendition.segments.length === 0) return { breaks: [], warnings: [] };
  const { starts, end: edge } = startsOf(rendition, { millis: now, rest: flicks(0) });
  const start = starts.get(rendition.segments[0]!.number)!;
  const signals = reading.signals
    .flatMap(({ number, offset, ...signal }): PlacedSignal[] => {
      const at = starts.get(number);
      return at === undefined ? [] : [{ ...signal, at: after(at, offset) }];
    })
    .sort((a, b) => a.at.millis - b.at.millis || a.at.rest - b.at.rest);
  // What is listed may begin within a break; its end is no mistake of the packager.
  const first = signals.findIndex(({ kind }) => kind !== 'in');
  const heard = first < 0 ? [] : signals.slice(first);
  const { breaks, warnings } = addSignals(undefined, heard, now, { start, edge });
  const isDated = hasDates || format === 'dash';
  return {
    breaks: breaks.filter(isListed).map((fact) => {
      const { startsAt, duration, endsAt, source, raw, line, upid } = fact;
      const dated = isDated && fact.start !== 'unknown';
      return {
        ...(dated ? { startsAt: toMillis(startsAt) } : {}),
        ...(duration === undefined ? {} : { duration: flicksToSeconds(duration) }),
        ...(isDated && endsAt !== undefined ? { endsAt: toMillis(endsAt) } : {}),
        ...{ source, raw, line },
        ...(upid === undefined ? {} : { upid }),
      };
    }),
    warnings: warnings.map(({ line, text }) => ({ line, text })),
  };
}

/** False if it ended before what is listed: an MPD also states earlier events. */
const isListed = ({ duration, endsAt, isInsertionPoint }: BreakFact): boolean =>
  isInsertionPoint === true || endsAt !== undefined || duration !== 0;

const toMillis = ({ millis: whole, rest }: Instant): Millis => millis(whole + flicksToMillis(rest));
