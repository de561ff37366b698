// SPDX-License-Identifier: Apache-2.0
// The Periods of a live MPD on the wall clock (ISO/IEC 23009-1 5.3.2.1).
import { isoText } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { childrenNamed, hint, invalidAttribute, textAttribute } from '../../mpdFault.ts';
import { isReadable } from '../mpdElements.ts';
import { flicksBetween, readElapsed } from './liveTimes.ts';
import { firstSegmentAt, type GuessedStart, guessStart } from './unplacedPeriod.ts';

export type PlacedPeriod = {
  readonly element: XmlElement;
  readonly where: string;
  readonly stretch: string;
  /** What media times and events count from. */
  readonly start: Instant;
  readonly end: Instant | undefined;
};

type PeriodClock = {
  readonly availabilityStart: Instant;
  /** Absent if it is not known what is live. */
  readonly now?: Instant;
  /** Periods of an earlier reading: one without @start keeps its place when the Periods before it are gone. */
  readonly known?: readonly Pick<PlacedPeriod, 'stretch' | 'start'>[] | undefined;
};

const isAfter = (one: Instant, other: Instant): boolean => flicksBetween(other, one) > 0;

type Guessed = GuessedStart & { readonly by: string };
type Started = { readonly element: XmlElement; readonly where: string; readonly place: GuessedStart };

/**
 * A Period whose start is not stated is announced early (5.3.2.1). Packagers also omit both @start and the @duration before it
 * where the Period is on air, so it is placed by its segments; one that lists none is left out until its start is known.
 */
export function placeLivePeriods(
  root: XmlElement,
  clock: PeriodClock,
  warn: (warning: string) => void,
): PlacedPeriod[] {
  const { availabilityStart } = clock;
  const isStatic = root.attributes.type?.trim() !== 'dynamic';
  const started = startsOf(root, isStatic, clock, warn);
  return started.flatMap(({ element, where, place: { start } }, index): PlacedPeriod[] => {
    const next = started[index + 1];
    const until =
      next === undefined
        ? elapsedAttribute(root, 'mediaPresentationDuration', availabilityStart, warn)
        : (next.place.firstAt ?? next.place.start);
    const stated = elapsedAttribute(element, 'duration', start, warn);
    // The start of the next Period ends this one, whatever its duration.
    let end = until !== undefined && (stated === undefined || isAfter(stated, until)) ? until : (stated ?? until);
    if (end !== undefined && !isAfter(end, start)) {
      const isOfMpd = next === undefined && !isStatic && stated === undefined;
      if (!isOfMpd) {
        warn(`line ${element.line}: ${where} has no duration; it is skipped`);
        return [];
      }
      warn(
        `line ${root.line}: MPD@mediaPresentationDuration is before ${where}; it is ignored, because the MPD is dynamic`,
      );
      end = undefined;
    }
    return [{ element, where, stretch: stretchOf(availabilityStart, element, start), start, end }];
  });
}

function startsOf(
  root: XmlElement,
  isStatic: boolean,
  { availabilityStart, now, known = [] }: PeriodClock,
  warn: (warning: string) => void,
): Started[] {
  const elements = childrenNamed(root, 'Period').filter((period) => isReadable(period, warn));
  const started: Started[] = [];
  const starts = new Map(known.toReversed().map((each) => [each.stretch, each.start]));
  const guessed = (element: XmlElement, before: Started | undefined, kept: Instant | undefined) => {
    const guess = before && guessStart(element, { ...before, start: before.place.start }, isStatic ? undefined : now);
    if (kept === undefined) return guess;
    return { start: kept, firstAt: firstSegmentAt(element, kept), by: guess?.by ?? 'the time at which it was before' };
  };
  let expected: Instant | undefined = availabilityStart;
  for (const [index, element] of elements.entries()) {
    const id = idOf(element);
    const where = id ? `Period "${id}"` : `Period ${index + 1}`;
    const stretch = stretchOf(availabilityStart, element, availabilityStart);
    const kept = id === undefined ? undefined : starts.get(stretch);
    const followed: Instant | undefined = started.length === 0 ? (kept ?? expected) : expected;
    const stated: Instant | undefined = elapsedAttribute(element, 'start', availabilityStart, warn) ?? followed;
    const place: Guessed | undefined =
      stated === undefined ? guessed(element, started.at(-1), kept) : { start: stated, by: 'its start' };
    if (stated === undefined) {
      const what = `line ${element.line}: ${where} has no @start, and the Period before it no @duration`;
      warn(
        place === undefined
          ? `${what}; it is left out until its start is known`
          : `${what}; it is placed by ${place.by}`,
      );
    }
    // What follows a Period without a place has a place only if it states it.
    expected = place && elapsedAttribute(element, 'duration', place.start, () => {});
    if (place !== undefined) started.push({ element, where, place });
  }
  return started;
}

const idOf = ({ attributes }: XmlElement): string | undefined => attributes.id?.trim() || undefined;

/** An encoder that restarts counts from the beginning, and may use the same ids again. */
const stretchOf = (availabilityStart: Instant, element: XmlElement, start: Instant): string =>
  `${isoText(availabilityStart.millis)}/${idOf(element) ?? isoText(start.millis)}`;

function elapsedAttribute(
  element: XmlElement,
  name: string,
  since: Instant,
  warn: (warning: string) => void,
): Instant | undefined {
  const text = textAttribute([element], name);
  if (text === undefined) return undefined;
  const read = () => readElapsed(text, since) ?? invalidAttribute(element, name, 'a duration such as "PT1H2M3.5S"');
  return hint(read, (fault) => warn(`${fault}; it is ignored`));
}
