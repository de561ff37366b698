// SPDX-License-Identifier: Apache-2.0
// Where the demo is: the lines that it prints, and its page with the addresses and the commands of docs/tour.md, with the ports
// in use.
import type { AdminAccess } from './callAdmin.ts';
import { consoleUrl } from './consoleUrl.ts';
import { channelId, channelKey, liveChannelId, liveChannelKey, playlistId } from './seed.ts';

export type TourTargets = AdminAccess & {
  readonly liveUrl: string;
  readonly adServerUrl: string;
  readonly originUrl: string;
};
type TourStep = { readonly title: string; readonly commands: string };
/** What the page of the tour shows. */
export type Tour = { readonly places: Readonly<Record<string, string>>; readonly steps: readonly TourStep[] };

/** The same commands as in docs/tour.md (test/tour.system.ts). */
export function tourSteps({ adminUrl, liveUrl, apiKey, adServerUrl, originUrl }: TourTargets): readonly TourStep[] {
  return [
    { title: 'Settings of all commands', commands: `ADMIN=${adminUrl}   LIVE=${liveUrl}   KEY='x-api-key: ${apiKey}'` },
    {
      title: 'A playlist',
      commands: `curl -H "$KEY" "$ADMIN/api/v2/playlists/${playlistId}"
curl -H "$KEY" "$ADMIN/api/v2/playlists/${playlistId}?format=mrss"
curl -H "$KEY" -H 'content-type: application/json' "$ADMIN/api/v2/playlists" -d '{
  "id": "mine", "status": "enabled", "type": "vod2live",
  "contents": [{"sourceType": "url", "url": "${originUrl}/hills/master.m3u8",
                "spliceType": "percent", "cuePoints": [{"spliceTime": 50, "maxDuration": 20, "maxAds": 2}]}]}'`,
    },
    {
      title: 'A channel',
      commands: `curl -H "$KEY" -H 'content-type: application/json' "$ADMIN/api/v2/channels" -d '{
  "id": "mine", "state": "enabled", "apiKey": "watch-mine", "playlistId": "mine",
  "adSource": {"url": "${adServerUrl}/vast?session=[SESSION_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]"}}'
until curl -s -H "$KEY" "$ADMIN/api/v2/channels/mine/timeline" | grep '"content"'; do sleep 1; done    # what plays when
curl -H "$KEY" "$ADMIN/api/v2/channels/mine"             # state, where each cue point landed, errors`,
    },
    {
      title: 'A viewer',
      commands: `curl "$LIVE/hls/mine/master.m3u8?api-key=watch-mine&viewer=me"   # what an HLS player opens
curl "$LIVE/hls/view/mine?api-key=watch-mine"                    # its playback URL, and the URL of its ads
curl "$LIVE/dash/view/mine?api-key=watch-mine"                   # {"mediaURL": …, "vastURL": …} for DASH`,
    },
    {
      title: 'Why a viewer saw certain ads',
      commands: `SESSION=$(curl -s -H "$KEY" "$ADMIN/api/v2/channels/${channelId}/sessions" | grep -oE '[0-9a-f-]{36}' | tail -n 1)
curl -H "$KEY" "$ADMIN/api/v2/sessions/$SESSION"       # each break: ad request, ad response, ads shown, ads skipped
curl "$LIVE/tracking/$SESSION"                         # the tracking feed for players: the same ads with absolute times`,
    },
    {
      title: 'What was delivered',
      commands: `until curl -s -H "$KEY" "$ADMIN/api/v2/beacons?session=$SESSION&limit=6" | grep '"complete"'; do sleep 2; done    # each tracking URL
SYSTEM=$(curl -s -H "$KEY" "$ADMIN/api/v2/systems" | grep -oE '[0-9a-f-]{36}' | head -n 1)
curl -H "$KEY" -H 'accept: text/csv' "$ADMIN/api/v2/systems/$SYSTEM/reports/breaks?interval=60000&start=$(($(date +%s) - 600))"
curl -H "$KEY" "$ADMIN/api/v2/assets"                  # creatives: ready, being prepared, or failed and why`,
    },
    {
      title: 'A playlist from one URL',
      commands: `curl "$ADMIN/api/unsecured-v2/playlists/generate?content=${originUrl}/tide/master.m3u8&markers=10,2,20"`,
    },
  ];
}

/** @param encoderUrl of the live origin; absent without ffmpeg */
export function tourOf(targets: TourTargets, encoderUrl: string | undefined): Tour {
  const { adminUrl, liveUrl, originUrl, apiKey } = targets;
  const live = `${liveUrl}/hls/${liveChannelId}/master.m3u8?api-key=${liveChannelKey}`;
  return {
    places: {
      HLS: `${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`,
      'DASH session': `${liveUrl}/dash/view/${channelId}?api-key=${channelKey}`,
      ...(encoderUrl === undefined ? {} : { 'Live channel': live, 'Live origin': `${encoderUrl}/master.m3u8` }),
      'Video in HLS': `${originUrl}/tide/master.m3u8`,
      'Video in DASH': `${originUrl}/orbits/manifest.mpd`,
      Console: consoleUrl(targets),
      API: `${adminUrl}/docs`,
      Key: `x-api-key: ${apiKey}`,
    },
    steps: tourSteps(targets),
  };
}

export type Places = AdminAccess & {
  readonly pageUrl: string;
  readonly adServerUrl: string;
  /** A file or a folder. */
  readonly log: string;
  /** DATA_DIR, which is not deleted. */
  readonly keptFolder: string | undefined;
};

/** Seven lines for a terminal. */
export const writePlaces = ({ pageUrl, adServerUrl, log, keptFolder, ...admin }: Places): string =>
  `The demo is running. Ctrl-C stops it and ${keptFolder ? `keeps its data in ${keptFolder}` : 'deletes its data'}.
  Page        ${pageUrl}/   (two channels, two players each)
  Tour        ${pageUrl}/tour   (the API, command by command)
  Console     ${consoleUrl(admin)}
  Ad server   ${adServerUrl}/   (ad requests and beacons)
  API         ${admin.adminUrl}/docs   (key ${admin.apiKey})
  Log         ${log}`;
