// SPDX-License-Identifier: Apache-2.0
// Channels on air, for the live server of a test.
import { type ChannelRef, channelKey } from '../src/channels/channelKey.ts';
import type { Airing } from '../src/playback/onAir/airing.ts';
import type { Airings } from '../src/playback/onAir/airingCache.ts';

/** @param all called for each request */
export function airingsOf(all: () => readonly Airing[]): Airings {
  let calls = 0;
  const enabled = () => all().map((airing) => ({ channel: airing.channel, airing }));
  return {
    find: (wanted: ChannelRef) => enabled().find(({ channel }) => channelKey(channel) === channelKey(wanted)),
    named: (id) => enabled().filter(({ channel }) => channel.id === id),
    refreshOnMiss: async () => false,
    // What `all` returns may have changed.
    revision: () => calls++,
  };
}
