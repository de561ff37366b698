// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 events of a live MPD, placed on the wall clock.
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks, type Millis, millis } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import type { SpliceEvent } from '../../mpd.ts';
import { textAttribute } from '../../mpdFault.ts';
import { type MpdRefusal, readRoot } from '../mpdElements.ts';
import { MAX_FLICKS, type SpliceElement, spliceElements } from '../readSpliceEvents.ts';
import type { LiveMpd } from './liveMpd.ts';
import { afterTicks, flicksBetween, isBeyondReason, readInstant } from './liveTimes.ts';
import { placeLivePeriods } from './placeLivePeriods.ts';

type EventPeriod = {
  readonly start: Instant;
  readonly end: Instant | undefined;
  /** The media of its first Representation: where their time has its zero, and what is listed. */
  readonly media?: {
    readonly presentationTimeOffset: bigint;
    readonly timescale: number;
  };
};

/** @param epoch what the starts of events count from: an instant near those that are listed */
export function* readLiveEvents(
  period: XmlElement,
  times: EventPeriod,
  epoch: Instant,
  warn: (warning: string) => void,
): Sliced<SpliceEvent[]> {
  const elements = yield* spliceElements(period, warn);
  yield;
  return elements.flatMap(({ time, timescale, isOffset, length, ...event }) => {
    const at = isBeyondReason(time, Number(timescale))
      ? undefined
      : instantOf({ time, timescale, isOffset }, times, epoch);
    const distance = at === undefined ? Number.POSITIVE_INFINITY : flicksBetween(epoch, at);
    if (Math.abs(distance) > MAX_FLICKS) {
      warn(`line ${event.line}: Event@presentationTime is more than 100 days from what is live; the event is ignored`);
      return [];
    }
    const duration = length === undefined ? undefined : lengthOf(length, timescale);
    return [{ start: flicks(distance), ...(duration && { duration }), ...event }];
  });
}

function lengthOf(length: bigint, timescale: bigint): Flicks | undefined {
  if (isBeyondReason(length, Number(timescale))) return undefined;
  const duration = flicksBetween(START_OF_1970, afterTicks(START_OF_1970, length, Number(timescale)));
  return duration <= MAX_FLICKS ? flicks(duration) : undefined;
}

/** Hours that an event may reasonably be from what is live. */
const NEAR_MS = 24 * 3_600_000;

const START_OF_1970: Instant = { millis: millis(0), rest: flicks(0) };

/**
 * Some packagers count events on the time of the media, or from 1970, without stating presentationTimeOffset for the EventStream.
 * An event is counted like this if only that time is within the Period and near to what is live.
 */
function instantOf(
  { time, timescale, isOffset }: Pick<SpliceElement, 'time' | 'timescale' | 'isOffset'>,
  { start, end, media }: EventPeriod,
  epoch: Instant,
): Instant {
  const written = afterTicks(start, time, Number(timescale));
  if (isOffset) return written;
  const isPlausible = ({ millis }: Instant): boolean =>
    Math.abs(millis - epoch.millis) <= NEAR_MS &&
    millis >= start.millis - 1000 &&
    (!end || millis <= end.millis + 1000);
  if (isPlausible(written)) return written;
  const offset = media === undefined ? 0n : (media.presentationTimeOffset * timescale) / BigInt(media.timescale);
  const others = [
    afterTicks(start, time - offset, Number(timescale)),
    afterTicks(START_OF_1970, time, Number(timescale)),
  ];
  return others.find(isPlausible) ?? written;
}

// The SCTE-35 events of an MPD whose segments cannot be read, or are not available, so that operators see its breaks
// nevertheless. Times on the media's time line are not corrected, as they are with segments.

type ListedEvents = Pick<LiveMpd, 'events' | 'epoch' | 'warnings'>;

/** Events that are further away from the start of their Period count from 1970. */
const FAR_MS = 100 * 86_400_000;

function firstInstantOf({ time, timescale }: SpliceElement, start: Instant): Millis {
  const after = (zero: Instant): Millis => afterTicks(zero, time, Number(timescale)).millis;
  const [written, sinceZero] = [after(start), after(START_OF_1970)];
  const isFar = (instant: Millis): boolean => Math.abs(instant - start.millis) > FAR_MS;
  return isFar(written) && !isFar(sinceZero) ? sinceZero : written;
}

export const readListedEvents = (text: string): Sliced<ListedEvents | MpdRefusal> => readRoot(text, read);

function* read(root: XmlElement): Sliced<ListedEvents> {
  yield;
  const warnings: string[] = [];
  const warn = (warning: string): void => void warnings.push(warning);
  const availabilityStart = readInstant(textAttribute([root], 'availabilityStartTime') ?? '') ?? START_OF_1970;
  const periods = placeLivePeriods(root, { availabilityStart }, warn);
  let first: Millis | undefined;
  for (const { element, start } of periods) {
    const [event] = yield* spliceElements(element, () => {});
    if (event !== undefined) first = firstInstantOf(event, start);
    if (first !== undefined) break;
  }
  const epoch: Instant = { millis: first ?? availabilityStart.millis, rest: flicks(0) };
  const events: SpliceEvent[] = [];
  for (const { element, start, end } of periods)
    for (const event of yield* readLiveEvents(element, { start, end }, epoch, warn)) events.push(event);
  return { events, epoch, warnings };
}
