// SPDX-License-Identifier: Apache-2.0
// Tries and replays of a tenant's channels, a limited number at once: each holds documents in memory, and its requests compete
// with those of viewers for the ad server.
import type { AdSource, Channel } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { type Replay, type ReplayOptions, replayBreak } from './replayBreak.ts';
import type { FindStoredBreak, StoredBreak } from './storedBreak.ts';
import { type AdTry, type ServedLadder, type TryDeps, type TryOptions, tryAdRequest } from './tryAdRequest.ts';

type Format = 'hls' | 'dash';

export type AdTriesDeps = TryDeps & {
  /** What sessions of a channel play now. @param format of the sessions; undefined: all */
  readonly laddersOf: (channel: Channel, format: Format | undefined) => Promise<readonly ServedLadder[]>;
  readonly findBreak: FindStoredBreak;
};

export type AdTries = {
  /** @returns `busy` if too many are under way */
  try(channel: Channel, source: AdSource, format: Format | undefined, options: TryOptions): Promise<AdTry | 'busy'>;
  findBreak(sessionId: string, breakId: string, tenant: string): Promise<StoredBreak | undefined>;
  /** @returns `busy` if too many are under way */
  replay(channel: Channel, stored: StoredBreak, options: ReplayOptions): Promise<Replay | 'busy'>;
};

/** At once, in this process. */
export const MAX_TRIES_PER_TENANT = 4;
const MAX_TRIES = 16;

export function createAdTries({ laddersOf, findBreak, ...deps }: AdTriesDeps): AdTries {
  const underWay = new Map<string, number>();
  let all = 0;

  async function limited<Result>({ tenant }: ChannelRef, work: () => Promise<Result>): Promise<Result | 'busy'> {
    const before = underWay.get(tenant) ?? 0;
    if (before >= MAX_TRIES_PER_TENANT || all >= MAX_TRIES) return 'busy';
    underWay.set(tenant, before + 1);
    all += 1;
    try {
      return await work();
    } finally {
      all -= 1;
      const left = underWay.get(tenant)! - 1;
      if (left === 0) underWay.delete(tenant);
      else underWay.set(tenant, left);
    }
  }

  return {
    findBreak,
    try: (channel, source, format, options) =>
      limited(channel, async () => tryAdRequest(channel, source, await laddersOf(channel, format), options, deps)),
    replay: (channel, stored, options) =>
      limited(channel, async () => {
        const [served] = await laddersOf(channel, stored.session.format);
        return replayBreak(channel, stored, served, options, deps);
      }),
  };
}
