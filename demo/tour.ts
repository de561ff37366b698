// SPDX-License-Identifier: Apache-2.0
// The text that the demo prints: where to look, and the commands of docs/tour.md with the ports in use.
import type { AdminAccess } from './callAdmin.ts';
import { channelId, channelKey, liveChannelId, liveChannelKey, playlistId } from './seed.ts';

export type TourTargets = AdminAccess & {
  readonly liveUrl: string;
  readonly adServerUrl: string;
  readonly originUrl: string;
};
type Places = TourTargets & {
  readonly pageUrl: string;
  /** The live origin; absent without ffmpeg. */
  readonly encoderUrl?: string | undefined;
  /** A file or a folder. */
  readonly log: string;
  /** DATA_DIR, which is not deleted. */
  readonly keptFolder?: string | undefined;
};

type TourStep = { readonly title: string; readonly commands: string };

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

export function writeTour(places: Places): string {
  const { adminUrl, liveUrl, apiKey, adServerUrl, pageUrl, originUrl, encoderUrl, log, keptFolder } = places;
  const steps = tourSteps(places).map(({ title, commands }) => `# ${title}\n${commands}\n`);
  const live = encoderUrl
    ? `  Live channel    ${liveUrl}/hls/${liveChannelId}/master.m3u8?api-key=${liveChannelKey}   (on air in a few seconds)
  Live origin     ${encoderUrl}/master.m3u8   (a real encoder, with ad markers)
`
    : '';
  return `
The commands of the tour (docs/tour.md), with the ports of this demo:

${steps.join('\n')}
The demo is running. Ctrl-C stops it and ${keptFolder ? `keeps its data in ${keptFolder}` : 'deletes its data'}.

  Page            ${pageUrl}/   (two channels with two players each; the first break begins within a minute)
  Console         ${adminUrl}/   (sign in with the key ${apiKey})
  Ad server       ${adServerUrl}/   (ad requests and beacons)
  HLS             ${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}
  DASH            ${liveUrl}/dash/view/${channelId}?api-key=${channelKey}   (returns the URL of the MPD)
${live}  Key             x-api-key: ${apiKey}
  Videos          ${originUrl}/tide/master.m3u8 · /orbits/manifest.mpd · /hills/master.m3u8
  Log             ${log}
`;
}
