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
async function put(
  targets: AdminAccess,
  collection: string,
  record: { readonly id: string; readonly [field: string]: unknown },
): Promise<void> {
  const path = `${collection}/${record.id}`;
  if (await exists(targets, path)) await callAdmin(targets, 'PUT', path, record);
  else await callAdmin(targets, 'POST', collection, record);
}

/** Three videos with one break each, about one break per minute. The sources are HLS and DASH. */
function demoPlaylist(origin: string, hasBreaks: boolean) {
  const video = (path: string, spliceType: string, cuePoint: object) => ({
    ...{ sourceType: 'url', url: `${origin}/${path}`, spliceType },
    ...(hasBreaks ? { cuePoints: [cuePoint] } : {}),
  });
  return {
    id: playlistId,
    name: 'Three videos',
    type: 'vod2live',
    status: 'enabled',
    contents: [
      video('tide/master.m3u8', 'percent', { spliceTime: 50, maxDuration: 25, maxAds: 2 }),
      video('orbits/manifest.mpd', 'seconds', { spliceTime: 28, maxDuration: 35, maxAds: 3 }),
      video('hills/master.m3u8', 'seconds', { spliceTime: 18, maxDuration: 30, maxAds: 2 }),
    ],
  };
}

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

/** A week of programmes by rules, around the clock. The videos are short, so that most of each half hour is filler. */
function demoSchedule(origin: string) {
  const programme = (id: string, title: string, path: string, more: object = {}) => ({
    ...{ id, title, source: { url: `${origin}/${path}` }, duration: 1800, categories: ['Landscape'] },
    ...more,
  });
  const tide = programme('tide', 'The tide', 'tide/master.m3u8', { breaks: [{ spliceTime: 12, maxDuration: 25 }] });
  const orbits = programme('orbits', 'Orbits', 'orbits/manifest.mpd', { categories: ['Science'] });
  const hills = programme('hills', 'In the hills', 'hills/master.m3u8');
  const weekend = ['sat', 'sun'];
  return {
    fillerPlaylistId: playlistId,
    breaks: { every: 15, notInLast: 5, maxDuration: 20, maxAds: 2 },
    rules: [
      { id: 'morning', at: '06:00', repeatUntil: '12:00', entries: [tide, hills] },
      { id: 'noon', at: '12:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'], entries: [orbits, tide, hills] },
      { id: 'matinee', at: '12:00', repeatUntil: '18:00', days: weekend, entries: [hills, orbits] },
      { id: 'evening', at: '18:00', repeatUntil: '22:00', entries: [orbits, tide, hills] },
      { id: 'late', at: '22:00', order: 'alternate', entries: [tide, orbits] },
      { id: 'night', at: '23:00', repeatUntil: '06:00', entries: [hills, tide] },
    ],
    entries: [],
  };
}

/** Whether the data of an earlier run were kept. */
export const isSeeded = (targets: AdminAccess): Promise<boolean> => exists(targets, `/playlists/${playlistId}`);

/** @param hasBreaks without, the channel has no breaks until `addBreaks` */
export async function seed(targets: AdminAccess, { origin, adServer }: SeedSources, hasBreaks = true): Promise<void> {
  await put(targets, '/playlists', demoPlaylist(origin, hasBreaks));
  await put(targets, '/channels', demoChannel(adServer));
}

/** A channel with a schedule. Its videos, slate and ads are those of the first. */
export async function seedSchedule(targets: AdminAccess, { origin, adServer }: SeedSources): Promise<void> {
  const channel = { ...demoChannel(adServer), id: 'schedule', name: 'Scheduled channel', apiKey: 'watch-schedule' };
  await put(targets, '/channels', channel);
  await callAdmin(targets, 'PUT', `/channels/${channel.id}/schedule`, demoSchedule(origin));
}

/** A channel with steps: an ad server that fills half of each break, a bidder for the rest, and a house list. */
export async function seedDemand(targets: AdminAccess, { origin, adServer }: SeedSources): Promise<void> {
  const half = adSource(adServer).url.replace('/vast', '/half');
  await put(targets, '/ad-sources', { id: 'direct', name: 'Direct sales', type: 'vast', url: half });
  const template = { app: { bundle: 'com.example.tv' } };
  const exchange = { id: 'exchange', name: 'Exchange', type: 'openrtb', url: `${adServer}/openrtb`, template };
  await put(targets, '/ad-sources', exchange);
  const creatives = [{ url: `${origin}/spots/lamps.mp4`, title: 'Watch more films' }];
  await put(targets, '/ad-sources', { id: 'house', name: 'Promos', type: 'house', creatives });
  const { adSource: _, ...channel } = demoChannel(adServer);
  const steps = [{ sources: ['direct'] }, { sources: ['exchange'] }, { sources: ['house'] }];
  const rules = { separateAdvertisers: 'break' };
  const named = { id: 'demand', name: 'Several ad sources', apiKey: 'watch-demand' };
  await put(targets, '/channels', { ...channel, ...named, adSteps: steps, adRules: rules });
}

/** Viewers of the channel get the first break 8 to 45 s later. */
export const addBreaks = (targets: AdminAccess, origin: string): Promise<void> =>
  put(targets, '/playlists', demoPlaylist(origin, true));

/** @param sourceManifestUrl of an origin that lists segments already */
export const seedLive = (targets: AdminAccess, sourceManifestUrl: string, adServer: string): Promise<void> =>
  put(targets, '/channels', liveChannel(sourceManifestUrl, adServer));
