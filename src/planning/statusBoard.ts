// SPDX-License-Identifier: Apache-2.0
// The channel statuses that all nodes share. A node that plans a channel updates its status repeatedly, as a heartbeat; if the
// updates stop, the planner has died and another one plans the channel.
import { type ChannelRef, channelKey, channelOfKey } from '../channels/channelKey.ts';
import { type Millis, millis } from '../time/units.ts';
import type { ChannelStatusStore } from './ports.ts';
import type { ChannelStatus } from './status.ts';

type Survey = {
  /** Channels that have not been planned, whose planner has died, or more of whose schedule has to be laid out. */
  readonly unplanned: readonly ChannelRef[];
  /** Channels with a failed item or origin. */
  readonly failing: readonly ChannelRef[];
};

type PlanningNow = { readonly channel: ChannelRef; readonly statusNow: () => ChannelStatus | undefined };

export type StatusBoard = ReturnType<typeof createStatusBoard>;

type StatusBoardDeps = {
  readonly store: ChannelStatusStore;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

const HEARTBEAT_MS = 5000;
/** A planner without a heartbeat for this time counts as dead. */
const PLANNER_TIMEOUT_MS = 20_000;

export function createStatusBoard({ store, now, log }: StatusBoardDeps) {
  const unsaved = new Map<string, readonly [ChannelRef, ChannelStatus]>();
  const shared = new Map<string, { readonly text: string; readonly at: number }>();
  const missingSince = new Map<string, number>();
  let lastStamp = 0;
  /** Increases with every call, so that later statuses win even within a millisecond or if connections reorder them. */
  const stamp = (): Millis => {
    lastStamp = Math.max(now(), lastStamp + 1);
    return millis(lastStamp);
  };

  /** If the status cannot be stored, this node still returns it, and the next `share` stores it. */
  async function put(channel: ChannelRef, status: ChannelStatus): Promise<void> {
    const key = channelKey(channel);
    try {
      await store.put(channel, status, stamp());
      unsaved.delete(key);
    } catch (error) {
      unsaved.set(key, [channel, status]);
      log('failed to store the status of a channel', { tenant: channel.tenant, channelId: channel.id, error });
    }
  }

  return {
    find: async (channel: ChannelRef) => unsaved.get(channelKey(channel))?.[1] ?? store.find(channel),
    findWithoutItems: async (channel: ChannelRef): Promise<Omit<ChannelStatus, 'items'> | undefined> =>
      unsaved.get(channelKey(channel))?.[1] ?? store.findWithoutItems(channel),
    put,
    /**
     * Stores the status of plannings in progress: when it has changed, and at intervals as a heartbeat. `statusNow` returns
     * undefined once the planning has ended: then its last status has been put, and must not be replaced.
     */
    async share(underWay: readonly PlanningNow[]): Promise<void> {
      for (const [channel, status] of unsaved.values()) await put(channel, status);
      const keys = new Set(underWay.map(({ channel }) => channelKey(channel)));
      for (const key of shared.keys()) if (!keys.has(key)) shared.delete(key);
      for (const { channel, statusNow } of underWay) {
        const status = statusNow();
        if (status === undefined) continue;
        const [key, text] = [channelKey(channel), JSON.stringify(status)];
        const last = shared.get(key);
        if (last?.text === text && now() - last.at < HEARTBEAT_MS) continue;
        shared.set(key, { text, at: now() });
        await put(channel, status);
      }
    },
    /** Ends the heartbeat of plannings that this process will not complete, so that another node begins them at once. */
    async release(channels: readonly ChannelRef[]): Promise<void> {
      await Promise.all(channels.map((channel) => store.release(channel, stamp())));
    },
    async remove(channel: ChannelRef): Promise<void> {
      unsaved.delete(channelKey(channel));
      await store.remove(channel);
    },
    /** Which of the enabled channels need to be planned. Removes the statuses of other channels. */
    async survey(enabled: readonly ChannelRef[]): Promise<Survey> {
      const expected = new Map(enabled.map((channel) => [channelKey(channel), channel]));
      const stored = new Map((await store.all()).map((one) => [channelKey(one.channel), one]));
      for (const [key, { channel, at }] of stored) {
        if (!expected.has(key) && now() - at >= PLANNER_TIMEOUT_MS) await store.remove(channel);
      }
      for (const key of missingSince.keys()) if (!expected.has(key) || stored.has(key)) missingSince.delete(key);
      const unplanned = [...expected].flatMap(([key, channel]) => {
        const one = stored.get(key);
        if (one !== undefined) {
          const hasDied = one.isPreparing && now() - one.at >= PLANNER_TIMEOUT_MS;
          return hasDied || (one.planAt !== undefined && now() >= one.planAt) ? [channel] : [];
        }
        // The channel may have been enabled a moment ago and not be planned yet.
        const since = missingSince.get(key) ?? now();
        missingSince.set(key, since);
        return now() - since >= PLANNER_TIMEOUT_MS ? [channel] : [];
      });
      const failing = [...expected].flatMap(([key, channel]) => (stored.get(key)?.hasFailed ? [channel] : []));
      return { unplanned, failing };
    },
  };
}

type KnownStatus = Omit<ChannelStatus, 'items'>;

/**
 * The channel statuses in memory, without their items: responses to viewers contain why a channel is not on air, also on nodes that
 * do not plan it, and they do not wait for the store.
 */
export function createStatusMirror(store: ChannelStatusStore) {
  const known = new Map<string, KnownStatus>();
  return {
    of: (channel: ChannelRef): KnownStatus | undefined => known.get(channelKey(channel)),
    /** Reads the statuses of these channels (`tenant/id`), or all. */
    async refresh(keys?: ReadonlySet<string>): Promise<void> {
      const found = await store.withoutItems(keys && [...keys].map(channelOfKey));
      const read = new Map(found.map(({ channel, status }) => [channelKey(channel), status]));
      for (const key of keys ?? known.keys()) if (!read.has(key)) known.delete(key);
      for (const [key, status] of read) known.set(key, status);
    },
    /** The store. What this process writes is known at once. */
    store: {
      ...store,
      async put(channel: ChannelRef, status: ChannelStatus, at: Millis): Promise<void> {
        await store.put(channel, status, at);
        const { items: _, ...own } = status;
        known.set(channelKey(channel), own);
      },
      async remove(channel: ChannelRef): Promise<void> {
        await store.remove(channel);
        known.delete(channelKey(channel));
      },
    },
  };
}
