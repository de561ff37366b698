// Creatives as they should not be, one after the other in one break, in real players: what was conditioned, what is shown
// from its own host, and what could not be shown at all. Nobody stalls, and everybody sees the same number of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFaultyMedia } from '../ads/faults/faultyMedia.ts';
import { inLineXml, mediaFileXml, vastXml } from '../ads/faults/vastXml.ts';
import { hostMatchingCreative } from '../ads/matchingCreative.ts';
import { item, openRealStage, type Stage, type TracedBreak, titlesOf } from '../live/stage.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, type Players } from './players.ts';

const SPOT = 3;
const shown = ['hevc4k', 'vertical', 'rotated', 'silent', 'surround', 'variable', 'slowMotion', 'webm'] as const;
const lost = ['gone', 'nothing', 'page', 'noise', 'cut', 'short'] as const;
const BREAK = (shown.length + 1) * SPOT;
/** The video before the break; players come as it begins, and are about ten seconds behind. */
const VIDEO_SECONDS = 16;
/** Video, nine ads, video. */
const SPANS = shown.length + 3;

const viewers = [
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const;

let stage: Stage;
let players: Players;
let vast: string;
/** The manifest of each viewer: their sessions begin before the break, however long a page takes to open. */
const views = new Map<string, string>();

async function untilAllAreMade(channel: string): Promise<void> {
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

beforeAll(async () => {
  stage = await openRealStage({ CONDITION_JOBS: '2' });
  await makeFaultyMedia(stage.origin.folder, [...shown, 'short']);
  const video = await stage.video({ seconds: VIDEO_SECONDS });
  const creative = (name: string, media: string, type?: string) =>
    inLineXml(`${stage.adHost.url}/ok`, {
      title: name,
      media,
      ...(type ? { files: mediaFileXml(media, type) } : {}),
    });
  const files = [...lost, ...shown].map((name) =>
    creative(name, `${stage.origin.url}/${name}.${name === 'webm' ? 'webm' : 'mp4'}`),
  );
  const listed = `${(await hostMatchingCreative(stage, video, SPOT)).url}/spot/master.m3u8`;
  vast = vastXml(...files, creative('asIs', listed, 'application/x-mpegURL'));
  stage.adHost.on('/troubles', (response) => void response.writeHead(200).end(vast));

  await stage.air('warm', [item(video)]);
  await stage.watch('warm', { fetches: false });
  await untilAllAreMade('warm');
  players = await openPlayers();
  stage.onClose(players.close);
  const startDate = new Date(Date.now() + 4000).toISOString();
  const cue = { spliceTime: VIDEO_SECONDS, maxDuration: BREAK };
  await stage.air(
    'troubles',
    [item(video, cue)],
    { adSource: { url: `${stage.adHost.url}/troubles`, timeoutMs: 10_000 }, playlistSize: 20 },
    { startDate },
  );
  await stage.watch('troubles', { fetches: false });
  for (const [player, format] of viewers) {
    const opened = await fetch(`${stage.midroll.liveUrl}/${format}/view/troubles?api-key=key`);
    views.set(`${player} ${format}`, ((await opened.json()) as { mediaURL: string }).mediaURL);
  }
});
afterAll(() => stage?.close());

test.concurrent.each(viewers)(
  '%s plays the %s of all of them without a stall',
  async (player, format) => {
    const mediaURL = views.get(`${player} ${format}`)!;
    const session = /[0-9a-f-]{36}/.exec(mediaURL)![0];
    const decided = async () => {
      const { breaks } = (await stage.midroll.api('GET', `/sessions/${session}`)).json as { breaks: TracedBreak[] };
      return breaks.some((one) => titlesOf(one).sort().join() === [...shown, 'asIs'].sort().join());
    };
    // Who joins a break late sees those that are left, and the others when it comes again.
    const report = await players.playUntil(player, mediaURL, async ({ spans }) => spans >= SPANS && (await decided()));
    expectSmoothPlayback(report);
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect(await decided()).toBe(true);
  },
  600_000,
);
