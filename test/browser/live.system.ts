// SPDX-License-Identifier: Apache-2.0
// Five players watch a channel of two videos with three breaks each at the same time, through six breaks and two item changes.
import { expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { startLinearServers } from './linearServers.ts';
import { openPlayers, playerFormats } from './players.ts';

const BREAKS = 6;
/** Six breaks, and seven intervals of content around them. */
const SPANS = 13;

const servers = await opened(
  startLinearServers({
    ...{ channels: { live: {} }, videos: ['tide/master.m3u8', 'orbits/manifest.mpd'] },
    ...{ seconds: 12, cuePoints: [0, 4, 8] },
  }),
);
const players = await opened(openPlayers());

type Break = { status: string; ads: { outcome: string }[] };
/** The breaks in the trace of this manifest's session. */
async function breaksOf(mediaURL: string): Promise<Break[]> {
  const { pathname } = new URL(mediaURL);
  const id = /[0-9a-f-]{36}/.exec(pathname)?.[0] ?? new URL(mediaURL).searchParams.get('sid');
  return (await callAdmin<{ breaks: Break[] }>(servers.api, 'GET', `/sessions/${id}`)).breaks;
}

test.concurrent.each(playerFormats)(
  '%s plays %s through six breaks and two item changes without a stall',
  async (player, format) => {
    const mediaURL = await servers.open('live', format);
    const filled = async () => (await breaksOf(mediaURL)).filter(({ status }) => status === 'filled');
    const hasSeenThem = async ({ spans }: { readonly spans: number }) =>
      spans >= SPANS && (await filled()).length >= BREAKS;
    const report = await players.playUntil(player, mediaURL, hasSeenThem);
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect((await filled()).length).toBeGreaterThanOrEqual(BREAKS);
    expectSmoothPlayback(report);
  },
  600_000,
);
