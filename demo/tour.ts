// SPDX-License-Identifier: Apache-2.0
// The text that the demo prints: where to look, and a command for each main route.
import type { SeedTargets } from './seed.ts';
import { channelId, channelKey, playlistId } from './seed.ts';

export type TourTargets = SeedTargets & {
  readonly liveUrl: string;
  readonly adServerUrl: string;
  readonly pageUrl: string;
  readonly originUrl: string;
  readonly logFile: string;
};

export function writeTour({
  adminUrl,
  liveUrl,
  apiKey,
  adServerUrl,
  pageUrl,
  originUrl,
  logFile,
}: TourTargets): string {
  const admin = (path: string, more = ''): string =>
    `curl ${more}-H 'x-api-key: ${apiKey}' '${adminUrl}/api/v2${path}'`;
  const live = (path: string): string => `curl '${liveUrl}${path}?api-key=${channelKey}'`;
  return `
The demo is running. Ctrl-C stops it and deletes its data.

  Page            ${pageUrl}/
  Console         ${adminUrl}/   (sign in with the key ${apiKey})
  Ad server       ${adServerUrl}/   (ad requests and beacons)
  HLS             ${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}
  DASH            ${liveUrl}/dash/view/${channelId}?api-key=${channelKey}   (returns the URL of the MPD)
  Key             x-api-key: ${apiKey}
  Videos          ${originUrl}/tide/master.m3u8 · /orbits/manifest.mpd · /hills/master.m3u8
  Log             ${logFile}

Status and schedule of the channel:
  ${admin(`/channels/${channelId}`)}
  ${admin(`/channels/${channelId}/timeline`)}
The playlist as JSON and as MRSS:
  ${admin(`/playlists/${playlistId}`)}
  ${admin(`/playlists/${playlistId}?format=mrss`)}
Another playlist and another channel:
  ${admin('/playlists', `-d '{"id":"another","status":"enabled","contents":[{"sourceType":"url","url":"${originUrl}/hills/master.m3u8","cuePoints":[{"spliceTime":10,"maxDuration":20}]}]}' -H 'content-type: application/json' `)}
  ${admin('/channels', `-d '{"id":"another","apiKey":"watch-another","state":"enabled","playlistId":"another"}' -H 'content-type: application/json' `)}
A playlist generated from one URL, without storing it:
  curl '${adminUrl}/api/unsecured-v2/playlists/generate?content=${originUrl}/tide/master.m3u8&markers=10,2,20'
Open a session in HLS and in DASH:
  ${live(`/hls/${channelId}/master.m3u8`)}
  ${live(`/dash/view/${channelId}`)}
The sessions, and the ads of one session (use an id from the first response):
  ${admin(`/channels/${channelId}/sessions`)}
  ${admin('/sessions/SESSION_ID')}
`;
}
