// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 events of an MPD whose segments cannot be read, or are not available, so that operators see its breaks
// nevertheless. Times on the media's time line are not corrected, as they are with segments.

import type { Sliced } from '../../../time/sliced.ts';
import { flicks, type Millis, millis } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import type { SpliceEvent } from '../../mpd.ts';
import { textAttribute } from '../../mpdFault.ts';
import { type MpdRefusal, readRoot } from '../mpdElements.ts';
import { type SpliceElement, spliceElements } from '../readSpliceEvents.ts';
import { afterTicks, readInstant } from './liveTimes.ts';
import { placeLivePeriods } from './placeLivePeriods.ts';
import { readLiveEvents } from './readLiveEvents.ts';

export type ListedEvents = {
  readonly events: readonly SpliceEvent[];
  /** What their starts count from. */
  readonly epoch: Instant;
  readonly warnings: readonly string[];
};

/** Events that are further away from the start of their Period count from 1970. */
const FAR_MS = 100 * 86_400_000;
const START_OF_TIME: Instant = { millis: millis(0), rest: flicks(0) };

function instantOf({ time, timescale }: SpliceElement, start: Instant): Millis {
  const after = (zero: Instant): Millis => afterTicks(zero, time, Number(timescale)).millis;
  const [written, sinceZero] = [after(start), after(START_OF_TIME)];
  const isFar = (instant: Millis): boolean => Math.abs(instant - start.millis) > FAR_MS;
  return isFar(written) && !isFar(sinceZero) ? sinceZero : written;
}

export const readListedEvents = (text: string): Sliced<ListedEvents | MpdRefusal> => readRoot(text, read);

function* read(root: XmlElement): Sliced<ListedEvents> {
  yield;
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const availabilityStart = readInstant(textAttribute([root], 'availabilityStartTime') ?? '') ?? START_OF_TIME;
  const periods = placeLivePeriods(root, { availabilityStart }, warn);
  let first: Millis | undefined;
  for (const { element, start } of periods) {
    const [event] = yield* spliceElements(element, () => {});
    if (event !== undefined) first = instantOf(event, start);
    if (first !== undefined) break;
  }
  const epoch: Instant = { millis: first ?? availabilityStart.millis, rest: flicks(0) };
  const events: SpliceEvent[] = [];
  for (const { element, start, end } of periods)
    for (const event of yield* readLiveEvents(element, { start, end }, epoch, warn)) events.push(event);
  return { events, epoch, warnings };
}
