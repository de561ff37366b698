// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves play the breaks of a linear channel: each in its place, whole, and content from the right date on.
// GUIDED_BREAKS=100 plays so many.
import { test } from 'vitest';
import { opened } from '../../opened.ts';
import { startLinearServers } from '../linearServers.ts';
import { openPlayers } from '../players.ts';
import { colouredAds } from './colouredAds.ts';
import { expectInserted } from './insertedBreaks.ts';

const BREAKS = Number(process.env.GUIDED_BREAKS ?? 4);
const pod = { amber: 4, rose: 2 };
/** Seconds of slate after the ads: Shaka Player 5.2 would never end an asset that is as short. */
const REST = 0.8;
/** The longest content between two breaks, in milliseconds. */
const CONTENT = 12_000;

const servers = await opened(
  startLinearServers({
    channels: { guided: { insertion: 'guided' } },
    ads: (stage) => colouredAds(stage, pod),
    slate: REST,
  }),
);
const players = await opened(openPlayers());

// One after the other: players that start an ad need the processor.
test.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
] as const)(
  '%s inserts the breaks of %s in their places',
  async (player, format) => {
    const mediaURL = await servers.open('guided', format);
    await expectInserted(players, player, {
      mediaURL,
      api: servers.api,
      breaks: BREAKS,
      pod,
      slate: REST,
      content: CONTENT,
    });
  },
  600_000 + BREAKS * 30_000,
);
