// SPDX-License-Identifier: Apache-2.0
// A full disk: streams continue, breaks are filled with slate, and ads return when the disk has free space.
import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fillDisk } from '../fillDisk.ts';
import { isOurs } from '../laws/readBack.ts';
import { scratchFolder } from '../opened.ts';
import { adSource, item, openVirtualStage, type Stage } from './stage.ts';
import type { Viewer } from './viewer.ts';

const diskFolder = scratchFolder();
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'tmpfs', diskFolder]).status === 0;
let stage: Stage | undefined;
afterAll(async () => {
  await stage?.close();
  if (isMounted) execFileSync('umount', [diskFolder]);
});

const filler = join(diskFolder, 'filler');
const fill = () => fillDisk(filler, 4_194_304, 65_536, 4096);

/** The path of an ad segment contains the session; slate has a path that all sessions share. */
const isAd = (uri: string) => isOurs(uri) && !uri.includes('/m/');
const adsSince = ({ listed }: Viewer, since: number) =>
  [...listed.get('v0')!.values()].filter(({ date, uri }) => date >= since && isAd(uri)).length;
const edgeOf = ({ listed }: Viewer) => Math.max(...[...listed.get('v0')!.values()].map(({ date }) => date));

test.skipIf(!isMounted)('streams continue with slate on a full disk; ads return with free space', async () => {
  stage = await openVirtualStage({ DATA_DIR: diskFolder });
  const { clock, midroll } = stage;
  const [video, spot] = await Promise.all([stage.video({ seconds: 8 }), stage.spot(3)]);
  stage.adHost.offer('/full', () => [{ id: 'three', seconds: 3, url: spot }]);
  await stage.air('full', [item(video, { spliceTime: 4, maxDuration: 6 })], {
    adSource: adSource(stage.adHost, '/full'),
  });
  const viewer = await stage.watch('full');
  await viewer.until('an ad is listed', () => adsSince(viewer, 0) > 0);

  fill();
  const open = () => fetch(`${midroll.liveUrl}/hls/full/master.m3u8?api-key=key`);
  await viewer.until('new sessions are rejected', async () => {
    fill();
    return (await open()).status === 503;
  });
  expect(await (await open()).json()).toMatchObject({ type: 'UNAVAILABLE', message: expect.any(String) });
  // By then, breaks that were decided before the disk was full are over.
  const since = clock.now() + 40_000;
  await viewer.until('one minute has passed with a full disk', () => {
    fill();
    return edgeOf(viewer) > since + 60_000;
  });
  const until = edgeOf(viewer);
  const between = [...viewer.listed.get('v0')!.values()].filter(({ date }) => date >= since && date < until);
  expect(between.filter(({ uri }) => isAd(uri))).toEqual([]);
  expect(between.some(({ uri }) => isOurs(uri))).toBe(true);
  expect((await fetch(`${midroll.adminUrl}/ready`)).status).toBe(503);

  rmSync(filler);
  const freedAt = clock.now();
  await viewer.until('ads return', () => adsSince(viewer, freedAt) > 0);
  expect((await open()).status).toBe(200);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  const breaks = (await stage.breaks(viewer)).filter(({ at }) => at >= since && at < until);
  for (const { status, reason, slate, duration } of breaks) {
    expect([status, reason?.code, slate]).toEqual(['empty', 'STORE_AWAY', duration]);
    expect(reason?.text).toMatch(/full/);
  }
  expect(breaks.length).toBeGreaterThan(2);
});
