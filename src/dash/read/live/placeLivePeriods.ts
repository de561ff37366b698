// SPDX-License-Identifier: Apache-2.0
// The Periods of a live MPD on the wall clock (ISO/IEC 23009-1 5.3.2.1).
import { isoText } from '../../../time/isoText.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { childrenNamed, hint, invalidAttribute, textAttribute } from '../../mpdFault.ts';
import { isReadable } from '../mpdElements.ts';
import { flicksBetween, readElapsed } from './liveTimes.ts';

export type PlacedPeriod = {
  readonly element: XmlElement;
  readonly where: string;
  readonly stretch: string;
  readonly start: Instant;
  readonly end: Instant | undefined;
};

const isAfter = (one: Instant, other: Instant): boolean => flicksBetween(other, one) > 0;

/** A Period whose start is not known yet is announced early (5.3.2.1); it is left out until then, with those after it. */
export function placeLivePeriods(
  root: XmlElement,
  availabilityStart: Instant,
  warn: (warning: string) => void,
): PlacedPeriod[] {
  const elements = childrenNamed(root, 'Period').filter((period) => isReadable(period, warn));
  const isStatic = root.attributes.type?.trim() !== 'dynamic';
  const placed: PlacedPeriod[] = [];
  let expected: Instant | undefined = availabilityStart;
  for (const [index, element] of elements.entries()) {
    const { id } = element.attributes;
    const where = id?.trim() ? `Period "${id.trim()}"` : `Period ${index + 1}`;
    const start = elapsedAttribute(element, 'start', availabilityStart, warn) ?? expected;
    if (start === undefined && element.attributes.start !== undefined) continue;
    if (start === undefined) break;
    const next = elements[index + 1];
    const until =
      next === undefined
        ? elapsedAttribute(root, 'mediaPresentationDuration', availabilityStart, warn)
        : elapsedAttribute(next, 'start', availabilityStart, () => {});
    const stated = elapsedAttribute(element, 'duration', start, warn);
    // The start of the next Period ends this one, whatever its duration.
    const end = until !== undefined && (stated === undefined || isAfter(stated, until)) ? until : (stated ?? until);
    expected = stated ?? end;
    if (end !== undefined && !isAfter(end, start)) {
      if (isStatic || next !== undefined) warn(`line ${element.line}: ${where} has no duration; it is skipped`);
      continue;
    }
    const name = id?.trim() || isoText(start.millis);
    // An encoder that restarts counts from the beginning, and may use the same ids again.
    const stretch = `${isoText(availabilityStart.millis)}/${name}`;
    placed.push({ element, where, stretch, start, end });
  }
  return placed;
}

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
