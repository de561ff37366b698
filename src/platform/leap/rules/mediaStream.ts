// SPDX-License-Identifier: Apache-2.0
// What a channel shows now, from what was laid out, and its viewers.
import type { Channel } from '../../../channels/channel.ts';
import type { Entry } from '../../../scheduling/schedule.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Programme } from '../../../timeline/programme/programme.ts';
import type { LeapStreams } from '../contract/leapContract.ts';
import { contentOf } from './content.ts';
import { HOUR_MS } from './expectedViewers.ts';

/** @param entryId undefined in filler; @param endsAt undefined if more is laid out later */
export type OnAirNow = {
  readonly entryId: string | undefined;
  readonly startsAt: Millis;
  readonly endsAt: Millis | undefined;
};

/** Hours. More than what is laid out of a schedule. */
const LAID_OUT = 4;

/** What is between two borders of entries. A channel without a schedule has none. */
export function onAirNow({ startedAt, spansBetween }: OnAirProgramme, now: Millis): OnAirNow {
  const [span] = spansBetween(now, millis(now + 1));
  const { at: startsAt = startedAt, started } = span?.border ?? {};
  return { entryId: started?.id, startsAt, endsAt: borderAfter(spansBetween, now) };
}

type OnAirProgramme = Pick<Programme, 'startedAt' | 'spansBetween'>;

function borderAfter(spansBetween: Programme['spansBetween'], now: Millis): Millis | undefined {
  for (let hour = 0; hour < LAID_OUT; hour += 1) {
    const from = millis(now + hour * HOUR_MS);
    const span = spansBetween(from, millis(from + HOUR_MS)).find(
      ({ border }) => border !== undefined && border.at > now,
    );
    if (span?.border !== undefined) return span.border.at;
  }
  return undefined;
}

/** Hours. What has no known end is said to last so long, so that it is the same for an hour. */
const OPEN_END = 24;

/** @param shown its entry is absent for filler and for what the guide hides */
export function mediaStreamOf(
  channel: Channel,
  { startsAt, endsAt, entry }: { readonly startsAt: Millis; readonly endsAt?: Millis; readonly entry?: Entry },
  { viewers, region, now }: { readonly viewers: number; readonly region: number | undefined; readonly now: Millis },
): LeapStreams['streamsdata'][number]['mediastreams'][number] {
  return {
    content: contentOf(channel, entry),
    eventstart: startsAt,
    eventend: endsAt !== undefined && endsAt > now ? endsAt : now - (now % HOUR_MS) + OPEN_END * HOUR_MS,
    streamcount: [{ ...(region === undefined ? {} : { region }), sstreams: viewers }],
  };
}
