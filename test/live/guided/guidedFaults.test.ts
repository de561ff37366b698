// SPDX-License-Identifier: Apache-2.0
// What a guided player gets when the ad server, a creative or a request fails: a list in time, with the reason in the trace.
import { expect, test } from 'vitest';
import { writeVast } from '../adHost.ts';
import { fileStage } from '../fileStage.ts';
import { item, type TracedBreak, titlesOf } from '../stage.ts';
import { type GuidedPlayer, openGuided } from './guidedPlayer.ts';

const stage = await fileStage();
const [video, three, two] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3), stage.spot(2)]);
const cue = { spliceTime: 4, maxDuration: 10 };

/** Milliseconds that hls.js waits for a list. */
const PATIENCE = 10_000;

type Listed = {
  readonly player: GuidedPlayer;
  readonly list: string;
  readonly ms: number;
  readonly traced: TracedBreak;
};

const traceOf = async ({ session }: GuidedPlayer, list: string): Promise<TracedBreak> => {
  const { breaks } = await stage.api('GET', `/sessions/${session}`);
  const id = /([^/]+)\.(?:json|mpd)/.exec(new URL(list).pathname)![1];
  return breaks.find((one: TracedBreak) => one.id === id);
};

/** Requests the list of the newest break, some times at once: all responses are the same. */
async function requestList(player: GuidedPlayer, times = 1): Promise<Listed> {
  const { list } = (await player.breaks()).at(-1)!;
  const from = stage.clock.now();
  const texts = await Promise.all(
    Array.from({ length: times }, async () => {
      const response = await fetch(list);
      expect(response.status).toBe(200);
      return response.text();
    }),
  );
  expect(new Set(texts).size).toBe(1);
  return { player, list, ms: stage.clock.now() - from, traced: await traceOf(player, list) };
}

async function open(id: string, path: string, format: 'hls' | 'dash', source: object = {}): Promise<GuidedPlayer> {
  await stage.air(id, [item(video, cue)], { adSource: { url: stage.adHost.url + path, ...source } });
  await stage.until(
    'the channel is on air',
    async () => (await fetch(`${stage.midroll.liveUrl}/hls/${id}/channel.m3u8?api-key=key`)).ok,
  );
  const player = await openGuided(stage, id, format);
  await stage.until('a break is listed', async () => (await player.breaks()).length > 0);
  return player;
}

test.concurrent.each(
  (['hls', 'dash'] as const).flatMap((format) => [
    { format, path: '/never', source: {}, code: 'AD_SERVER_TIMEOUT' },
    { format, path: '/never', source: { timeoutMs: 10_000 }, code: 'NOT_DECIDED_IN_TIME' },
    { format, path: '/reset', source: {}, code: 'AD_SERVER_FAILED' },
    { format, path: '/status?code=500', source: {}, code: 'AD_SERVER_FAILED' },
    { format, path: '/html', source: {}, code: 'VAST_UNREADABLE' },
  ]),
)(
  '$format: an ad server that responds with $path ($code) leads to slate in time',
  async ({ format, path, source, code }) => {
    const id = `fails-${format}-${path.replaceAll(/\W/g, '')}-${code.replaceAll('_', '-')}`.toLowerCase();
    const player = await open(id, path, format, source);
    const { list, ms, traced } = await requestList(player);
    expect(ms).toBeLessThan(PATIENCE - 1000);
    expect(traced).toMatchObject({ status: 'empty', reason: { code }, slate: 10 });
    expect(await player.play(list)).toBeCloseTo(10, 1);
  },
);

test.concurrent('of three ads, one whose creative is missing is left out, with the reason', async () => {
  const url = `${stage.origin.url}/missing.mp4`;
  stage.adHost.offer('/three', () => [
    { id: 'three', seconds: 3, url: three, sequence: 1 },
    { id: 'lost', seconds: 4, url, sequence: 2 },
    { id: 'two', seconds: 2, url: two, sequence: 3 },
  ]);
  const player = await open('three', '/three', 'hls');
  let listed = await requestList(player);
  // Creatives are conditioned for the first break.
  await stage.until('both others are listed', async () => {
    listed = await requestList(player);
    return titlesOf(listed.traced).length === 2;
  });
  expect(titlesOf(listed.traced)).toEqual(['Ad three', 'Ad two']);
  const lost = listed.traced.ads.find(({ title }) => title === 'Ad lost');
  expect(lost).toMatchObject({ outcome: 'skipped', reason: { code: 'CREATIVE_FAILED' } });
  expect(await player.play(listed.list)).toBeCloseTo(10, 1);
});

test.concurrent('a list that is requested many times at once is decided once', async () => {
  let requests = 0;
  stage.adHost.on('/once', async (response) => {
    requests += 1;
    await stage.clock.sleep(800);
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(writeVast([{ id: `three${requests}`, seconds: 3, url: three }]));
  });
  const player = await open('once', '/once', 'hls');
  await requestList(player, 20);
  expect(requests).toBe(1);
  // It is stored: later requests get the same.
  const before = await requestList(player, 2);
  expect(before.ms).toBeLessThan(800);
});
