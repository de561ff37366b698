// SPDX-License-Identifier: Apache-2.0
// How long the requests for a channel's next break take, from the number of its viewers at all nodes: at the rate of its ad sources,
// and as fast as a process decides beside its manifests. Both are read every few seconds, and only for channels with steps.
import { LRUCache } from 'lru-cache';
import type { Channel } from '../../channels/channel.ts';
import { channelKey } from '../../channels/channelKey.ts';
import type { CountViewers } from '../../sessions/sessionRules.ts';
import type { Timers } from '../../time/clock.ts';
import { type DemandOf, firstRate } from '../request/demand.ts';
import { requestTime } from '../viewers/breaks.ts';

type RequestTimesDeps = {
  readonly countViewers: CountViewers;
  readonly demandOf: DemandOf;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** A decision with three steps takes 2 to 3 ms of the serving thread, which has manifests to send (`npm run bench:break`). */
const DECIDED_PER_SECOND = 200;
const READ_INTERVAL_MS = 10_000;
const MAX_CHANNELS = 10_000;

/** @returns a function of a channel: milliseconds, 0 without steps, and as long as nothing was read */
export function createRequestTimes({ countViewers, demandOf, timers, log }: RequestTimesDeps) {
  const known = new LRUCache<string, { ms: number; readAt: number }>({ max: MAX_CHANNELS });

  async function read(channel: Channel): Promise<number> {
    const { tenant, id } = channel;
    const rate = Math.min(DECIDED_PER_SECOND, firstRate(await demandOf(channel)) ?? DECIDED_PER_SECOND);
    return requestTime((await countViewers(tenant, [id])).get(id) ?? 0, rate);
  }

  return (channel: Channel): number => {
    if ((channel.adSteps ?? []).length === 0) return 0;
    const { tenant, id } = channel;
    const key = channelKey(channel);
    const at = timers.elapsed();
    const one = known.get(key) ?? { ms: 0, readAt: Number.NEGATIVE_INFINITY };
    if (at - one.readAt < READ_INTERVAL_MS) return one.ms;
    one.readAt = at;
    known.set(key, one);
    read(channel)
      .then((ms) => {
        one.ms = ms;
      })
      .catch((error: unknown) => log('failed to count the viewers of a channel', { tenant, channelId: id, error }));
    return one.ms;
  };
}
