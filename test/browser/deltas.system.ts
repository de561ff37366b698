// SPDX-License-Identifier: Apache-2.0
// Two HLS players read a long window by delta updates (RFC 8216bis §6.2.5.1), through breaks that the updates skip.
import { expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { startLinearServers } from './linearServers.ts';
import { openPlayers } from './players.ts';

/** Three breaks of one ad each, and the content around them. */
const SPANS = 7;
/** At least so many updates of a rung have skipped segments. */
const UPDATES = 10;

const servers = await opened(startLinearServers({ channels: { long: { playlistSize: 90, deltaUpdates: true } } }));
const players = await opened(openPlayers());

type Reading = { readonly rung: string; readonly isUpdate: boolean; readonly status: number };

/** The rungs of video are v0, v1 and so on, those of audio a0 and so on. */
const kindOf = (rung: string): string => rung.replace(/\d+$/, '');

/**
 * A player reads a playlist whole when it starts on a rung, or comes back to it from another one of the same kind. Otherwise an
 * update has failed.
 */
function wholeAgain(readings: readonly Reading[]): Reading[] {
  return readings.filter(({ rung, isUpdate }, index) => {
    const before = readings.slice(0, index);
    const since = before.findLastIndex((each) => each.rung === rung && !each.isUpdate);
    const hasLeft = before.slice(since).some((each) => each.rung !== rung && kindOf(each.rung) === kindOf(rung));
    return !isUpdate && since !== -1 && !hasLeft;
  });
}

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
    const readings: Reading[] = [];
    const onNetwork = (url: string, isResponse: boolean, status = 0) => {
      const [, rung] = /\/([^/]+)\.m3u8/.exec(url) ?? [];
      if (!isResponse || rung === undefined) return;
      const isUpdate = url.includes('_HLS_skip=YES');
      if (isUpdate) requested.push(url);
      readings.push({ rung, isUpdate, status });
    };
    const seenEnough = ({ spans }: { readonly spans: number }) => spans >= SPANS && requested.length >= UPDATES;
    const watched = await players.watch(player, mediaURL, { onNetwork });
    await watched.until(seenEnough);
    const report = await watched.finish();
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect(requested.length).toBeGreaterThanOrEqual(UPDATES);
    expect(new Set(readings.map(({ status }) => status))).toEqual(new Set([200]));
    expect(wholeAgain(readings)).toEqual([]);
    const [url] = requested as [string];
    const texts = await Promise.all(
      [url, url.replace(/[?&]_HLS_skip=YES/, '')].map(async (one) => (await fetch(one)).text()),
    );
    const [delta, whole] = texts as [string, string];
    expect(delta).toContain('#EXT-X-SKIP:SKIPPED-SEGMENTS=');
    expect(delta.length).toBeLessThan(0.7 * whole.length);
    expect(Math.abs(lastNumber(delta) - lastNumber(whole))).toBeLessThanOrEqual(1);
    expectSmoothPlayback(report);
  },
  600_000,
);
