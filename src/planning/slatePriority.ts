// SPDX-License-Identifier: Apache-2.0
// Prepares the slates of channels first that players request or watch. A channel needs its slate to go on air, and many channels
// may be enabled at once.
import type { Channel } from '../channels/channel.ts';
import { channelKey } from '../channels/channelKey.ts';
import type { CreativeJobs } from '../ingest/creatives/creativeJobs.ts';
import type { Millis } from '../time/units.ts';

export type SlatePriorityDeps = {
  readonly jobs: Pick<CreativeJobs, 'prioritize'>;
  /** The number of viewers of each of these channels now. */
  readonly countViewers: (tenant: string, channelIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type SlatePriority = {
  /** A player has requested a channel that is not on air yet. */
  requested(channel: Channel): void;
  /** The slate of a channel has to be prepared. */
  awaited(channel: Channel): void;
};

/** Waiting players retry every few seconds; this limits the writes per channel. */
const MIN_INTERVAL_MS = 5000;
/** Channels remembered; more than are requested within MIN_INTERVAL_MS. */
const MAX_CHANNELS = 10_000;

export function createSlatePriority({ jobs, countViewers, now, log }: SlatePriorityDeps): SlatePriority {
  const prioritizedAt = new Map<string, Millis>();
  const prioritize = ({ tenant, id }: Channel): Promise<void> => jobs.prioritize({ tenant, channelId: id });
  const logFailure =
    ({ tenant, id: channelId }: Channel) =>
    (error: unknown) =>
      log('failed to prioritize the slate of a channel', { tenant, channelId, error });

  return {
    requested(channel) {
      const key = channelKey(channel);
      if (now() - (prioritizedAt.get(key) ?? Number.NEGATIVE_INFINITY) < MIN_INTERVAL_MS) return;
      if (prioritizedAt.size >= MAX_CHANNELS) prioritizedAt.clear();
      prioritizedAt.set(key, now());
      prioritize(channel).catch(logFailure(channel));
    },
    awaited(channel) {
      countViewers(channel.tenant, [channel.id])
        .then((counts) => ((counts.get(channel.id) ?? 0) > 0 ? prioritize(channel) : undefined))
        .catch(logFailure(channel));
    },
  };
}
