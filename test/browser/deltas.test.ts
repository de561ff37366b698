// SPDX-License-Identifier: Apache-2.0
// Two HLS players read a long window by delta updates (RFC 8216bis §6.2.5.1), through breaks that the updates skip.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { type LinearServers, startLinearServers } from './linearServers.ts';
import { openPlayers, type Players } from './players.ts';

/** Three breaks of one ad each, and the content around them. */
const SPANS = 7;
/** At least so many updates of a rung have skipped segments. */
const UPDATES = 10;
let servers: LinearServers;
let players: Players;

beforeAll(async () => {
  servers = await startLinearServers({ channels: { long: { playlistSize: 90, deltaUpdates: true } } });
  players = await openPlayers();
});
afterAll(async () => {
  await players?.close();
  await servers?.close();
});

const lastNumber = (text: string): number => {
  const [, first] = /#EXT-X-MEDIA-SEQUENCE:(\d+)/.exec(text)!;
  const [, skipped = '0'] = /#EXT-X-SKIP:SKIPPED-SEGMENTS=(\d+)/.exec(text) ?? [];
  return Number(first) + Number(skipped) + text.split('#EXTINF').length - 1;
};

test.concurrent.each(['hls.js', 'shaka'] as const)(
  '%s plays a long window by delta updates, through three breaks without a stall',
  async (player) => {
    const mediaURL = await servers.open('long', 'hls');
    const requested: string[] = [];
    const full: string[] = [];
    const onNetwork = (url: string, isResponse: boolean) => {
      if (!isResponse || !url.includes('.m3u8')) return;
      if (url.includes('_HLS_skip=YES')) requested.push(url);
      else full.push(url);
    };
    const seenEnough = ({ spans }: { readonly spans: number }) => spans >= SPANS && requested.length >= UPDATES;
    const watched = await players.watch(player, mediaURL, { onNetwork });
    await watched.until(seenEnough);
    const report = await watched.finish();
    expectSmoothPlayback(report);
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect(requested.length).toBeGreaterThanOrEqual(UPDATES);
    // After the first playlists, all requests were for updates: no update has failed.
    const rungs = new Set(requested.map((url) => new URL(url).pathname));
    for (const rung of rungs) expect(full.filter((url) => new URL(url).pathname === rung)).toHaveLength(1);
    const [url] = requested as [string];
    const texts = await Promise.all(
      [url, url.replace(/[?&]_HLS_skip=YES/, '')].map(async (one) => (await fetch(one)).text()),
    );
    const [delta, whole] = texts as [string, string];
    expect(delta).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=');
    expect(delta.length).toBeLessThan(0.7 * whole.length);
    expect(Math.abs(lastNumber(delta) - lastNumber(whole))).toBeLessThanOrEqual(1);
  },
  600_000,
);
