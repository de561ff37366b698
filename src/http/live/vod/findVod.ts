// SPDX-License-Identifier: Apache-2.0
// Finds the session of a VoD channel. Several tenants can have a channel with one id, also channels of different types.
import type { Channel } from '../../../channels/channel.ts';
import type { VodViewer } from '../../../playback/vod/vodViewer.ts';
import type { PlayerDeps } from '../playerRequest.ts';

export type FoundVod = { readonly viewer: VodViewer; readonly channel: Channel };

/** The enabled VoD channels with this id. Most requests are for channels of another type, so nothing is allocated for them. */
export function vodChannels({ airings }: Pick<PlayerDeps, 'airings'>, channelId: string): readonly Channel[] {
  let channels: Channel[] | undefined;
  for (const { channel } of airings.named(channelId)) {
    if (channel.type !== 'vod') continue;
    if (channels === undefined) channels = [channel];
    else channels.push(channel);
  }
  return channels ?? none;
}

const none: readonly Channel[] = [];

/** @returns undefined at once if no VoD channel has this id; else a promise, of undefined if none of them has the session */
export function findVod(
  deps: Pick<PlayerDeps, 'airings' | 'vod'>,
  channelId: string,
  sessionId: string,
): Promise<FoundVod | undefined> | undefined {
  const channels = vodChannels(deps, channelId);
  return channels === none ? undefined : findIn(channels, sessionId, deps);
}

async function findIn(
  channels: readonly Channel[],
  sessionId: string,
  { vod }: Pick<PlayerDeps, 'vod'>,
): Promise<FoundVod | undefined> {
  for (const channel of channels) {
    const viewer = await vod.presentations.find(channel, sessionId);
    if (viewer !== undefined) return { viewer, channel };
  }
  return undefined;
}
