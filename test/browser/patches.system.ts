// SPDX-License-Identifier: Apache-2.0
// dash.js and Shaka Player update an MPD by patches through breaks, and read the whole MPD when it cannot be patched.
import { expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { startLinearServers } from './linearServers.ts';
import { openPlayers } from './players.ts';

/** Two breaks, and the content around them. */
const SPANS = 5;

const settings = { playlistSize: 120, deltaUpdates: true };
const servers = await opened(startLinearServers({ channels: { shaka: settings, 'dash.js': settings } }));
const players = await opened(openPlayers());

test.concurrent.each(['shaka', 'dash.js'] as const)(
  '%s plays through breaks with patches, and reads the whole MPD after an edit',
  async (player) => {
    const mediaURL = await servers.open(player, 'dash');
    const seen: { kind: 'patch' | 'mpd'; status: number }[] = [];
    const count = (kind: string) => seen.filter((one) => one.kind === kind).length;
    const onNetwork = (url: string, isResponse: boolean, status = 0) => {
      const path = new URL(url).pathname;
      const kind = path.endsWith('.mpp') ? 'patch' : path.endsWith('.mpd') ? 'mpd' : undefined;
      if (isResponse && kind !== undefined) seen.push({ kind, status });
    };
    const watched = await players.watch(player, mediaURL, { onNetwork });
    const before = await watched.until(({ spans }) => spans >= SPANS && count('patch') > 20);
    const wholeMpds = count('mpd');
    // The text of every Period changes, so what the player has is not what Midroll writes for it.
    await callAdmin(servers.api, 'PATCH', `/channels/${player}`, { announceAds: false });
    const patches = () => seen.slice(seen.findLastIndex(({ kind }) => kind === 'mpd')).length;
    await watched.until(({ spans }) => spans >= before.spans + 2 && count('mpd') > wholeMpds && patches() > 5);
    const report = await watched.finish();
    expect(report.spans).toBeGreaterThanOrEqual(before.spans + 2);
    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
    // In the first ten seconds, after the edit, and perhaps when Period 0-1 leaves while 0-10 is listed.
    expect(count('mpd')).toBeLessThan(12);
    expect(count('patch')).toBeGreaterThan(25);
    // Every two seconds.
    expect(seen.length).toBeLessThan(report.watched);
    expectSmoothPlayback(report);
  },
  600_000,
);
