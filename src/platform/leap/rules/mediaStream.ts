// SPDX-License-Identifier: Apache-2.0
// What a channel shows now, and its viewers.
import type { Channel } from '../../../channels/channel.ts';
import type { Millis } from '../../../time/units.ts';
import type { LeapStreams } from '../contract/leapContract.ts';
import { contentOf } from './content.ts';
import { HOUR_MS } from './expectedViewers.ts';
import type { Shown } from './readOnAir.ts';

/** Hours. An unknown end is stated so long after the start of this hour, so that it changes once an hour. */
const OPEN_END = 24;

export function mediaStreamOf(
  channel: Channel,
  { startsAt, endsAt, entry }: Shown,
  { viewers, region, now }: { readonly viewers: number; readonly region: number | undefined; readonly now: Millis },
): LeapStreams['streamsdata'][number]['mediastreams'][number] {
  return {
    content: contentOf(channel, entry),
    eventstart: startsAt,
    eventend: endsAt !== undefined && endsAt > now ? endsAt : now - (now % HOUR_MS) + OPEN_END * HOUR_MS,
    streamcount: [{ ...(region === undefined ? {} : { region }), sstreams: viewers }],
  };
}
