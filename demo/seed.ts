// SPDX-License-Identifier: Apache-2.0
// Creates the records of the demo with the admin API, as an operator would.
import { type AdminAccess, callAdmin } from './callAdmin.ts';

export type SeedSources = { readonly origin: string; readonly adServer: string };

export const playlistId = 'demo-films';
export const channelId = 'demo';
export const channelKey = 'watch-demo';
export const liveChannelId = 'live';
export const liveChannelKey = 'watch-live';

const exists = async ({ adminUrl, apiKey }: AdminAccess, path: string): Promise<boolean> =>
  (await fetch(`${adminUrl}/api/v2${path}`, { headers: { 'x-api-key': apiKey } })).status === 200;

/** Creates or replaces a record: a data folder that was kept from an earlier run has it already. */
async function put(targets: AdminAccess, collection: string, record: { readonly id: string }): Promise<void> {
  const path = `${collection}/${record.id}`;
  if (await exists(targets, path)) await callAdmin(targets, 'PUT', path, record);
  else await callAdmin(targets, 'POST', collection, record);
}

/**
 * Three videos with one break each, about one break per minute. The sources are HLS and DASH. A new channel starts 60 s into its
 * list: 19 s after the first break and 25 s before the second one, so a viewer who opens the page at once begins with content.
 */
const demoPlaylist = (origin: string) => ({
  id: playlistId,
  name: 'Three videos',
  type: 'vod2live',
  status: 'enabled',
  contents: [
    {
      sourceType: 'url',
      url: `${origin}/tide/master.m3u8`,
      spliceType: 'percent',
      cuePoints: [{ spliceTime: 50, maxDuration: 25, maxAds: 2 }],
    },
    {
      sourceType: 'url',
      url: `${origin}/orbits/manifest.mpd`,
      spliceType: 'seconds',
      cuePoints: [{ spliceTime: 28, maxDuration: 35, maxAds: 3 }],
    },
    {
      sourceType: 'url',
      url: `${origin}/hills/master.m3u8`,
      spliceType: 'seconds',
      cuePoints: [{ spliceTime: 18, maxDuration: 30, maxAds: 2 }],
    },
  ],
});

const adSource = (adServer: string) => ({
  url: `${adServer}/vast?session=[SESSION_ID]&viewer=[PLAYER.viewer]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`,
});

const demoChannel = (adServer: string) => ({
  id: channelId,
  name: 'Demo channel',
  type: 'vod2live',
  state: 'enabled',
  apiKey: channelKey,
  playlistId,
  adSource: adSource(adServer),
});

const liveChannel = (sourceManifestUrl: string, adServer: string) => ({
  id: liveChannelId,
  name: 'Live channel',
  type: 'live',
  state: 'enabled',
  apiKey: liveChannelKey,
  sourceManifestUrl,
  adSource: adSource(adServer),
});

export async function seed(targets: AdminAccess, { origin, adServer }: SeedSources): Promise<void> {
  await put(targets, '/playlists', demoPlaylist(origin));
  await put(targets, '/channels', demoChannel(adServer));
}

/** @param sourceManifestUrl of an origin that lists segments already */
export const seedLive = (targets: AdminAccess, sourceManifestUrl: string, adServer: string): Promise<void> =>
  put(targets, '/channels', liveChannel(sourceManifestUrl, adServer));
