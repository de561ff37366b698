// SPDX-License-Identifier: Apache-2.0
// What channels have on air, whatever their type: the airing of a linear channel, the feeds of a live one.
import type { Channel } from '../channels/channel.ts';
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import type { AiringStore } from '../channels/schedule/ports.ts';
import type { LiveFeedStore } from '../live/ports.ts';
import type { Millis } from '../time/units.ts';

export type Lives = {
  /** Records that the channel is enabled, and ends what a channel of another type had on air. */
  switchOn(channel: Channel, at: Millis): Promise<void>;
  /** Records that the channel is disabled. What it has on air continues. */
  switchOff(channel: ChannelRef, at: Millis): Promise<void>;
  /** Ends what is on air; with `offSince`, only if the channel was switched off before that instant. */
  end(channel: ChannelRef, offSince?: Millis): Promise<void>;
  /** Channels that have something on air and were switched off before this instant. */
  offSince(before: Millis): Promise<readonly ChannelRef[]>;
  /** Channels that have something on air. */
  onAir(): Promise<readonly ChannelRef[]>;
};

type Stored = Pick<AiringStore, 'switchOn' | 'switchOff' | 'end' | 'offSince' | 'versions'>;

const distinct = (channels: readonly ChannelRef[]): ChannelRef[] => [
  ...new Map(channels.map(({ tenant, id }) => [channelKey({ tenant, id }), { tenant, id }])).values(),
];

export function createLives(airings: AiringStore, feeds: LiveFeedStore): Lives {
  const stores: readonly Stored[] = [airings, feeds];
  const ofType: Readonly<Record<Channel['type'], Stored | undefined>> = {
    vod2live: airings,
    live: feeds,
    // A VoD channel has no schedule, so it has no life.
    vod: undefined,
  };
  return {
    async switchOn({ tenant, id, type }, at) {
      const own = ofType[type];
      await own?.switchOn({ tenant, id }, at);
      for (const store of stores) if (store !== own) await store.end({ tenant, id });
    },
    async switchOff(channel, at) {
      for (const store of stores) await store.switchOff(channel, at);
    },
    async end(channel, offSince) {
      for (const store of stores) await store.end(channel, offSince);
    },
    offSince: async (before) => distinct((await Promise.all(stores.map((store) => store.offSince(before)))).flat()),
    onAir: async () =>
      distinct((await Promise.all(stores.map((store) => store.versions()))).flat().map(({ channel }) => channel)),
  };
}
