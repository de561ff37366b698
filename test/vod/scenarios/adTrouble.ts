// SPDX-License-Identifier: Apache-2.0
// Ad servers that fail: the film plays, and the trace states why a break has no ads.
import { expect } from 'vitest';
import { writeVast } from '../../live/adHost.ts';
import { adSource, item, type Stage } from '../../live/stage.ts';
import { airVod, lengthOf, openVod, readVod, seenPeriods, seenPlaylist, traceOf } from '../watchVod.ts';

/** Two breaks within the film and one after it. */
const cues = [{ spliceTime: 0 }, { spliceTime: 4, maxDuration: 6 }, { spliceTime: -1 }];
const CONTENT = 8;
const AD = 4;

export type AdTrouble = {
  readonly name: string;
  /** A path of the ad host, with its query. */
  readonly path: string;
  readonly code: string;
};

export const adTroubles: readonly AdTrouble[] = [
  { name: 'an ad server that returns 404', path: '/status?code=404', code: 'AD_SERVER_FAILED' },
  { name: 'an ad server that returns HTML', path: '/html', code: 'VAST_UNREADABLE' },
  { name: 'an ad server that closes the connection', path: '/reset', code: 'AD_SERVER_FAILED' },
];

async function expectFilmWithoutAds(stage: Stage, channel: string, code: string): Promise<void> {
  const view = await openVod(stage, channel);
  expect(view).toMatchObject({ durationSeconds: CONTENT, contentDurationSeconds: CONTENT, breaks: [] });
  const manifests = await readVod(stage.midroll, channel, view.sessionId);
  const seen = seenPlaylist(manifests);
  expect(seen.isEnded).toBe(true);
  expect(lengthOf(seen)).toBe(CONTENT);
  expect(manifests.playlists.v0).not.toContain('#EXT-X-DISCONTINUITY\n');
  expect(seenPeriods(manifests)).toHaveLength(1);
  const traced = await traceOf(stage, view);
  expect(traced.map(({ status, reason, ads }) => [status, reason?.code, ads])).toEqual(
    cues.map(() => ['empty', code, []]),
  );
  for (const { reason } of traced) expect(reason!.text).not.toBe('');
}

export async function filmPlaysDespite(stage: Stage, { name, path, code }: AdTrouble): Promise<void> {
  const channel = name.replaceAll(/\W+/g, '-');
  await airVod(stage, channel, [{ ...item(await stage.video({ seconds: CONTENT })), cuePoints: cues }], {
    adSource: { url: stage.adHost.url + path },
  });
  await expectFilmWithoutAds(stage, channel, code);
}

/** The budget of the session ends long before the response arrives. */
export async function filmPlaysDespiteSlowAds(stage: Stage): Promise<void> {
  const spot = await stage.spot(AD);
  stage.adHost.on('/slow', async (response) => {
    await stage.clock.sleep(12_000);
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(writeVast([{ id: 'late', seconds: AD, url: spot }]));
  });
  await airVod(stage, 'slow-ads', [{ ...item(await stage.video({ seconds: CONTENT })), cuePoints: cues }], {
    adSource: { url: `${stage.adHost.url}/slow` },
    vodBudgetMs: 2000,
  });
  await openVod(stage, 'slow-ads');
  const opened = stage.clock.now();
  await expectFilmWithoutAds(stage, 'slow-ads', 'AD_SERVER_TIMEOUT');
  expect(stage.clock.now() - opened).toBeLessThan(2 * 2000);
}

/** Each break stands alone. */
export async function oneBreakFails(stage: Stage): Promise<void> {
  const spot = await stage.spot(AD);
  stage.adHost.on('/two-of-three', (response, _, query) => {
    if (query.get('break') === '0-2') return void response.writeHead(500).end();
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(writeVast([{ id: 'good', seconds: AD, url: spot }]));
  });
  await airVod(stage, 'two-of-three', [{ ...item(await stage.video({ seconds: CONTENT })), cuePoints: cues }], {
    // Half of it is not a whole number of milliseconds.
    adSource: { ...adSource(stage.adHost, '/two-of-three'), timeoutMs: 1001 },
  });
  const view = await openVod(stage, 'two-of-three');
  expect(view.durationSeconds).toBe(CONTENT + 2 * AD);
  expect(
    view.breaks.map(({ id, contentTime, streamTime, duration }) => [id, contentTime, streamTime, duration]),
  ).toEqual([
    ['0-1', 0, 0, AD],
    ['0-3', CONTENT, AD + CONTENT, AD],
  ]);
  const manifests = await readVod(stage.midroll, 'two-of-three', view.sessionId);
  expect(lengthOf(seenPlaylist(manifests))).toBe(CONTENT + 2 * AD);
  // The content around the break that failed continues without a border.
  expect(seenPeriods(manifests).map(({ start, duration }) => [start, duration])).toEqual([
    [0, 1000 * AD],
    [1000 * AD, 1000 * CONTENT],
    [1000 * (AD + CONTENT), 1000 * AD],
  ]);
  const traced = await traceOf(stage, view);
  expect(traced.map(({ id, status, reason }) => [id, status, reason?.code])).toEqual([
    ['0-1', 'filled', undefined],
    ['0-2', 'empty', 'AD_SERVER_FAILED'],
    ['0-3', 'filled', undefined],
  ]);
}
