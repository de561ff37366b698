// SPDX-License-Identifier: Apache-2.0
// The items that a request to a VoD channel opens: those of its playlist, with the placeholders filled.
import type { Channel } from '../../channels/channel.ts';
import { type ContentItem, fillPlaceholders } from '../../channels/playlist.ts';
import type { PlaylistStore } from '../../channels/ports.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { isAllowedHost } from '../../vod/isAllowedHost.ts';
import type { RequestedContents } from '../../vod/ports.ts';

/** The contents of a channel without playlist: one placeholder. */
const LIBRARY: readonly ContentItem[] = [{ sourceType: 'placeholder' }];

const shown = (text: string): string => JSON.stringify(text.slice(0, 100));

/** @returns why the URL cannot fill placeholders; continues the name of the parameter */
export function contentFault(url: string, hosts: readonly string[]): string | undefined {
  if (!isHttpUrl(url)) return `must be an http or https URL; got ${shown(url)}`;
  if (isAllowedHost(url, hosts)) return undefined;
  return `must be on a host that the channel's contentHosts contain; got ${shown(new URL(url).host)}`;
}

/** The items of the channel's playlist, or one placeholder if it has none. */
export async function channelContents(
  { playlistId, tenant }: Channel,
  playlists: Pick<PlaylistStore, 'find'>,
): Promise<RequestedContents> {
  if (playlistId === undefined) return { state: 'found', contents: LIBRARY };
  const unavailable = (reason: string) => ({ state: 'unavailable', reason }) as const;
  const playlist = await playlists.find(tenant, playlistId);
  if (playlist === undefined) return unavailable(`Playlist ${playlistId} does not exist.`);
  if (playlist.type === 'vod2live')
    return unavailable(`Playlist ${playlistId} is of type vod2live; a VoD channel needs type vod.`);
  if (playlist.status !== 'enabled') return unavailable(`Playlist ${playlistId} is disabled.`);
  const { contents = [] } = playlist;
  if (contents.length === 0) return unavailable(`Playlist ${playlistId} is empty.`);
  return { state: 'found', contents };
}

export const hasPlaceholder = (contents: readonly ContentItem[]): boolean =>
  contents.some(({ sourceType }) => sourceType === 'placeholder');

/** @param content the value of `?content=` */
export function fillRequested(
  contents: readonly ContentItem[],
  content: string | undefined,
  hosts: readonly string[],
): RequestedContents {
  const isNeeded = hasPlaceholder(contents);
  if (content === undefined) {
    return isNeeded
      ? {
          state: 'invalid',
          message:
            'is required, because the playlist of this channel has a placeholder; set it to the URL of an HLS or DASH manifest',
        }
      : { state: 'found', contents };
  }
  if (!isNeeded)
    return { state: 'invalid', message: 'is not allowed, because the playlist of this channel has no placeholder' };
  const fault = contentFault(content, hosts);
  if (fault !== undefined) return { state: 'invalid', message: fault };
  return { state: 'found', contents: fillPlaceholders(contents, content) };
}
