// SPDX-License-Identifier: Apache-2.0
// The channel statuses in memory, without their items: responses to viewers contain why a channel is not on air, also on nodes that
// do not plan it, and they do not wait for the store.
import { type ChannelRef, channelKey, channelOfKey } from '../channels/channelKey.ts';
import type { ChannelStatusStore } from './ports.ts';
import type { ChannelStatus } from './status.ts';

export type KnownStatus = Omit<ChannelStatus, 'items'>;

export type StatusMirror = {
  /** The store. What this process writes is known at once. */
  readonly store: ChannelStatusStore;
  of(channel: ChannelRef): KnownStatus | undefined;
  /** Reads the statuses of these channels (`tenant/id`), or all. */
  refresh(keys?: ReadonlySet<string>): Promise<void>;
};

export function createStatusMirror(store: ChannelStatusStore): StatusMirror {
  const known = new Map<string, KnownStatus>();
  return {
    of: (channel) => known.get(channelKey(channel)),
    async refresh(keys) {
      const found = await store.withoutItems(keys && [...keys].map(channelOfKey));
      const read = new Map(found.map(({ channel, status }) => [channelKey(channel), status]));
      for (const key of keys ?? known.keys()) if (!read.has(key)) known.delete(key);
      for (const [key, status] of read) known.set(key, status);
    },
    store: {
      ...store,
      async put(channel, status, at) {
        await store.put(channel, status, at);
        const { items: _, ...own } = status;
        known.set(channelKey(channel), own);
      },
      async remove(channel) {
        await store.remove(channel);
        known.delete(channelKey(channel));
      },
    },
  };
}
