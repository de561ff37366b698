// SPDX-License-Identifier: Apache-2.0
// One break with unusual creatives in real players: conditioned creatives, one that is played from its own host, and unusable
// ones. No player stalls, and each plays the same ads.

import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { makeFaultyMedia } from '../ads/faults/faultyMedia.ts';
import { inLineXml, mediaFileXml, vastXml } from '../ads/faults/vastXml.ts';
import { hostMatchingCreative } from '../ads/matchingCreative.ts';
import { openView } from '../live/openSession.ts';
import { item, openRealStage, type TracedBreak, titlesOf } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, type Players, playerFormats } from './players.ts';

const SPOT = 3;
const shown = ['hevc4k', 'vertical', 'rotated', 'silent', 'surround', 'variable', 'slowMotion', 'webm'] as const;
const unusable = ['gone', 'nothing', 'page', 'noise', 'cut', 'short'] as const;
const BREAK = (shown.length + 1) * SPOT;
/** The content before the break. */
const VIDEO_SECONDS = 8;
/** Content, nine ads, content. */
const SPANS = shown.length + 3;

let players: Players;
let vast: string;

async function untilAllPrepared(channel: string): Promise<void> {
  const { status, json } = await stage.midroll.api('POST', '/assets', { vast, channels: [channel] });
  expect([status, json.skipped]).toEqual([202, []]);
  for (;;) {
    const assets = await stage.midroll.api('GET', `/assets?channel=${channel}&limit=100`);
    const open = assets.json.filter(({ state, reason }: { state: string; reason?: string }) =>
      state === 'waiting' ? reason === undefined : state === 'preparing',
    );
    if (open.length === 0) return;
    await sleep(250);
  }
}

const stage = await opened(openRealStage({ CONDITION_JOBS: '2' }));
beforeAll(async () => {
  await makeFaultyMedia(stage.origin.folder, [...shown, 'short']);
  const video = await stage.video({ seconds: VIDEO_SECONDS });
  const creative = (name: string, media: string, type?: string) =>
    inLineXml(`${stage.adHost.url}/ok`, {
      title: name,
      media,
      ...(type ? { files: mediaFileXml(media, type) } : {}),
    });
  const files = [...unusable, ...shown].map((name) =>
    creative(name, `${stage.origin.url}/${name}.${name === 'webm' ? 'webm' : 'mp4'}`),
  );
  const listed = `${(await hostMatchingCreative(stage, video, SPOT)).url}/spot/master.m3u8`;
  vast = vastXml(...files, creative('asIs', listed, 'application/x-mpegURL'));
  stage.adHost.on('/creatives', (response) => void response.writeHead(200).end(vast));

  await stage.air('warm', [item(video)]);
  await stage.watch('warm', { fetches: false });
  await untilAllPrepared('warm');
  players = await openPlayers();
  stage.onClose(players.close);
  const cue = { spliceTime: VIDEO_SECONDS, maxDuration: BREAK };
  await stage.air('creatives', [item(video, cue)], {
    adSource: { url: `${stage.adHost.url}/creatives`, timeoutMs: 10_000 },
    playlistSize: 20,
  });
  await stage.watch('creatives', { fetches: false });
});

test.concurrent.each(playerFormats)(
  '%s plays all creatives in %s without a stall',
  async (player, format) => {
    const mediaURL = await openView(stage.midroll.liveUrl, format, 'creatives');
    const session = /[0-9a-f-]{36}/.exec(mediaURL)![0];
    const decided = async () => {
      const { breaks } = (await stage.midroll.api('GET', `/sessions/${session}`)).json as { breaks: TracedBreak[] };
      return breaks.some((one) => titlesOf(one).sort().join() === [...shown, 'asIs'].sort().join());
    };
    // A viewer who joins in a break sees the remaining ads, and the others in the next loop.
    const report = await players.playUntil(player, mediaURL, async ({ spans }) => spans >= SPANS && (await decided()));
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect(await decided()).toBe(true);
    expectSmoothPlayback(report);
  },
  600_000,
);
