// SPDX-License-Identifier: Apache-2.0
// What the live port needs of distributors.
import type { Channel, MarkersOut } from '../../../channels/channel.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { GuideText } from '../../../planning/schedule/guides.ts';
import type { Airing } from '../../../playback/onAir/airing.ts';

/** How a distributor gets a channel. */
export type Distribution = {
  readonly channel: ChannelRef;
  readonly markersOut: MarkersOut;
  /** Seconds; that of the channel when undefined. */
  readonly markersOutAhead: number | undefined;
  readonly listsFiller: boolean;
  readonly slateManifestUrl: string | undefined;
};

/** @returns undefined if no distributor of a channel with this id has the key now */
export type FindDistribution = (channelId: string, key: string) => Promise<Distribution | undefined>;

export type Distributors = {
  readonly find: FindDistribution;
  guide(channel: Channel, listsFiller: boolean): Promise<GuideText>;
  /** The media of a distributor's slate once they are ready. Making them is started. */
  slateOf(url: string, airing: Airing): string | undefined;
};
