// SPDX-License-Identifier: Apache-2.0
// How long the requests for a channel's next break take at the rate of its ad sources, from the number of its viewers at all nodes.
// That number is read every few seconds, and only for channels that have a rate.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { CountViewers } from '../../sessions/sessionRules.ts';
import type { Timers } from '../../time/clock.ts';
import { requestTime } from '../viewers/breaks.ts';

type RequestTimesDeps = {
  readonly countViewers: CountViewers;
  /** Requests a second; undefined if they are not limited. */
  readonly rateOf: (channel: Channel) => number | undefined;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

const READ_INTERVAL_MS = 10_000;
const MAX_CHANNELS = 10_000;

/** @returns a function of a channel: milliseconds, 0 without a rate or as long as its viewers are not counted */
export function createRequestTimes({ countViewers, rateOf, timers, log }: RequestTimesDeps) {
  const counted = new LRUCache<string, { viewers: number; readAt: number }>({ max: MAX_CHANNELS });
  return (channel: Channel): number => {
    const rate = rateOf(channel);
    if (rate === undefined) return 0;
    const { tenant, id } = channel;
    const key = channelKey(channel);
    const at = timers.elapsed();
    const known = counted.get(key) ?? { viewers: 0, readAt: Number.NEGATIVE_INFINITY };
    if (at - known.readAt >= READ_INTERVAL_MS) {
      known.readAt = at;
      counted.set(key, known);
      countViewers(tenant, [id])
        .then((counts) => {
          known.viewers = counts.get(id) ?? 0;
        })
        .catch((error: unknown) => log('failed to count the viewers of a channel', { tenant, channelId: id, error }));
    }
    return requestTime(known.viewers, rate);
  };
}
