// SPDX-License-Identifier: Apache-2.0
// The breaks in one reading of an origin, as a channel would find them.
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
  const [first] = reading.renditions;
  if (first === undefined || first.segments.length === 0) return { breaks: [], warnings: [] };
  const { starts, end: edge } = startsOf(first, { millis: now, rest: flicks(0) });
  const start = starts.get(first.segments[0]!.number)!;
  const signals = reading.signals
    .flatMap(({ number, offset, ...signal }): PlacedSignal[] => {
      const at = starts.get(number);
      return at === undefined ? [] : [{ ...signal, at: after(at, offset) }];
    })
    .sort((a, b) => a.at.millis - b.at.millis || a.at.rest - b.at.rest);
  const { breaks, warnings } = addSignals(undefined, signals, now, { start, edge });
  const isDated = hasDates || format === 'dash';
  return {
    breaks: breaks.map((fact) => {
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

const toMillis = ({ millis: whole, rest }: Instant): Millis => millis(whole + flicksToMillis(rest));
