// SPDX-License-Identifier: Apache-2.0
// Tries and replays of a tenant's channels, a limited number at once: each holds documents in memory, and its requests compete
// with those of viewers for the ad server.
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { Demand, DemandOf } from '../../../playback/request/demand.ts';
import type { AdTry, BreakReplay, ReplayBody, TryBody } from '../contract/tryContract.ts';
import { replayBreak } from './replayBreak.ts';
import type { FindStoredBreak, StoredBreak } from './storedBreak.ts';
import { type ServedLadder, type TryDeps, tryAdRequest } from './tryAdRequest.ts';

type AdTriesDeps = TryDeps & {
  /** What sessions of a channel play now. @param format of the sessions; undefined: all */
  readonly laddersOf: (channel: Channel, format: TryBody['format']) => Promise<readonly ServedLadder[]>;
  readonly findBreak: FindStoredBreak;
  readonly demandOf: DemandOf;
};

export type AdTries = ReturnType<typeof createAdTries>;

/** The most tries at once in this process, of a tenant and in all. */
export const MAX_TRIES_PER_TENANT = 4;
const MAX_TRIES = 16;

export function createAdTries({ laddersOf, findBreak, demandOf, ...deps }: AdTriesDeps) {
  /** The tenant of each try and replay. */
  const underWay: string[] = [];

  /** @returns `busy` if too many are under way */
  async function limited<Result>({ tenant }: ChannelRef, work: () => Promise<Result>): Promise<Result | 'busy'> {
    const ofTenant = underWay.filter((one) => one === tenant).length;
    if (ofTenant >= MAX_TRIES_PER_TENANT || underWay.length >= MAX_TRIES) return 'busy';
    underWay.push(tenant);
    try {
      return await work();
    } finally {
      underWay.splice(underWay.indexOf(tenant), 1);
    }
  }

  return {
    findBreak,
    demandOf,
    try: (channel: Channel, demand: Demand, body: TryBody): Promise<AdTry | 'busy'> =>
      limited(channel, async () => tryAdRequest(channel, demand, await laddersOf(channel, body.format), body, deps)),
    replay: (channel: Channel, stored: StoredBreak, body: ReplayBody): Promise<BreakReplay | 'busy'> =>
      limited(channel, async () => {
        const [served] = await laddersOf(channel, stored.session.format);
        return replayBreak(channel, stored, served, body, { ...deps, demandOf });
      }),
  };
}
