// SPDX-License-Identifier: Apache-2.0
// Players report the breaks and ads that manifests announce to an application, without an SDK.
import { expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { opened } from '../opened.ts';
import { expectNoErrors } from './expectSmoothPlayback.ts';
import { startLinearServers } from './linearServers.ts';
import { openPlayers, playerFormats } from './players.ts';

const servers = await opened(startLinearServers({ channels: { live: {} }, cuePoints: [0, 6, 12, 18, 24] }));
const players = await opened(openPlayers());

type Trace = { breaks: { id: string; startsAt: string; duration: number; ads: TracedAd[] }[] };
type TracedAd = { adId: string; startsAt?: string; duration: number; outcome: string };

test.concurrent.each(playerFormats)(
  '%s reports breaks and ads in %s with the ids of the trace, while they are on screen',
  async (player, format) => {
    const mediaURL = await servers.open('live', format);
    // shaka reports its own ad events in addition, a moment earlier or later.
    const kinds = player === 'shaka' ? ['break', 'ad', 'shaka ad'] : ['break', 'ad'];
    const hasAllKinds = `${JSON.stringify(kinds)}.every((kind) => seen.announced.some((one) => one.kind === kind))`;
    const report = await players.playUntil(player, mediaURL, hasAllKinds);
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
    const { breaks } = await callAdmin<Trace>(servers.api, 'GET', `/sessions/${session}`);
    const ads = breaks.flatMap((one) => one.ads).filter(({ outcome }) => outcome === 'stitched');
    const announced = (kind: string) => report.announced.filter((one) => one.kind === kind);
    expect(announced('ad').length, JSON.stringify(report)).toBeGreaterThanOrEqual(1);
    for (const { id, at } of announced('ad')) {
      const ad = ads.find(({ adId }) => adId === id)!;
      const into = (at! - Date.parse(ad.startsAt!)) / 1000;
      expect(into, `${id} of ${JSON.stringify(ads)}`).toBeGreaterThan(-0.5);
      expect(into).toBeLessThan(ad.duration + 0.5);
    }
    const ids = breaks.map(({ id }) => id);
    for (const { id } of announced('ad'))
      expect(announced('break').map((one) => one.id)).toContain(String(id).replace(/-\d+$/, ''));
    // A viewer who joins near the end of a break sees it announced, but it is not in their trace.
    for (const { id } of announced('break').slice(1)) expect(ids).toContain(id);
    // shaka's own ad events are enough for an application that shows "Ad".
    if (player === 'shaka') expect(announced('shaka ad').length).toBeGreaterThanOrEqual(1);
    expectNoErrors(report);
  },
);
