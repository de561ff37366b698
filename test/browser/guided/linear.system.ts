// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves play the breaks of a linear channel: each in its place, whole, and content from the right date on.
// GUIDED_BREAKS=100 plays so many.
import { expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { expectNoErrors, expectNoFaults } from '../expectSmoothPlayback.ts';
import { startLinearServers } from '../linearServers.ts';
import { openPlayers, type PlayReport } from '../players.ts';
import { colouredAds } from './colouredAds.ts';
import { faultsOf, type SeenBreak, seenBreaks, stillsOf, tracedBreaks } from './insertedBreaks.ts';

const BREAKS = Number(process.env.GUIDED_BREAKS ?? 4);
const pod = { amber: 4, rose: 2 };
/** The longest content between two breaks, in milliseconds. */
const CONTENT = 12_000;

const servers = await opened(
  startLinearServers({ channels: { guided: { insertion: 'guided' } }, ads: (stage) => colouredAds(stage, pod) }),
);
const players = await opened(openPlayers());

/** The breaks that it showed from start to end: it may have joined during the first. */
const wholeBreaks = ({ pictures }: PlayReport) =>
  seenBreaks(pictures.slice(pictures.findIndex(({ what }) => what === 'content'))).slice(1);

// One after the other: players that start an ad need the processor.
test.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
] as const)(
  '%s inserts the breaks of %s in their places',
  async (player, format) => {
    const mediaURL = await servers.open('guided', format);
    const hasSeenThem = (seen: PlayReport) => wholeBreaks(seen).length >= BREAKS;
    const report = await players.playUntil(player, mediaURL, hasSeenThem, {
      looks: true,
      timeoutMs: 60_000 + BREAKS * 30_000,
    });
    const seen = wholeBreaks(report);
    const trace = await tracedBreaks(servers.api, mediaURL);
    expect(seen.length).toBeGreaterThanOrEqual(BREAKS);
    const isOf = (one: SeenBreak, at: number) => Math.abs(at - one.before.last.date!) < CONTENT / 2;
    const faults = seen.flatMap((one) => {
      const traced = trace.find(({ at }) => isOf(one, at));
      return traced === undefined
        ? [{ what: 'a break is not in the trace', wall: one.after.first.wall, cause: 'stream' as const }]
        : faultsOf(one, traced, pod);
    });
    const delivered = async () => {
      const shown = (await tracedBreaks(servers.api, mediaURL)).filter(({ at }) => seen.some((one) => isOf(one, at)));
      return shown.map(({ ads }) => ads.map((ad) => ad.delivered?.seconds));
    };
    await expect.poll(delivered).toEqual(seen.map(() => Object.values(pod)));
    expectNoErrors(report);
    expectNoFaults([...faults, ...stillsOf(report)], report.busy);
  },
  600_000 + BREAKS * 30_000,
);
