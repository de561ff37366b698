// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 events of a live MPD, placed on the wall clock.
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks } from '../../../time/units.ts';
import type { Instant } from '../../../timeline/programme/span.ts';
import type { XmlElement } from '../../../xml/element.ts';
import type { SpliceEvent } from '../../mpd.ts';
import { MAX_FLICKS, type SpliceElement, spliceElements } from '../readSpliceEvents.ts';
import { afterTicks, flicksBetween, isBeyondReason } from './liveTimes.ts';

export type EventPeriod = {
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

const START_OF_1970: Instant = { millis: 0 as Instant['millis'], rest: flicks(0) };

/**
 * Some packagers count events on the time of the media, or from 1970, without stating presentationTimeOffset for the EventStream.
 * They are counted like this where that alone is within the Period and near to what is live.
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
