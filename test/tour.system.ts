// SPDX-License-Identifier: Apache-2.0
// docs/tour.md: runs each of its commands, in order, against everything that `npm run demo` starts.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { prepareAds, untilOnAir } from '../demo/prepare.ts';
import { seed } from '../demo/seed.ts';
import { tourSteps } from '../demo/tour.ts';
import { startDemoViewers } from '../demo/viewers.ts';
import { opened } from './opened.ts';
import { startDemoServers } from './servers/demoServers.ts';

const bash = promisify(execFile);
const page = readFileSync(join(import.meta.dirname, '../docs/tour.md'), 'utf8');
const tour = page.slice(page.indexOf('## The tour'), page.indexOf('## A cluster'));
const written = [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!.trimEnd());

const { midroll, api, origin, adServer } = await opened(startDemoServers());
/** Addresses on the page, and what they are in this test. */
const places = [
  ['http://127.0.0.1:8080', midroll.adminUrl],
  ['http://127.0.0.1:8081', midroll.liveUrl],
  ['http://127.0.0.1:8090', origin],
  ['http://127.0.0.1:8091', adServer],
] as const;
beforeAll(async () => {
  await seed(api, { origin, adServer });
  await untilOnAir(api, 600);
  expect(await prepareAds(api, origin, 600)).toBe(4);
  return startDemoViewers(midroll.liveUrl);
});

const here = (text: string): string => places.reduce((said, [there, is]) => said.replaceAll(there, is), text);
const [settings, ...blocks] = written;

/** Runs a block; `curl` fails when the response is an error. */
async function run(block: string): Promise<string> {
  const script = `curl() { command curl -sS --fail-with-body "$@"; echo; }\n${here(`${settings}\n${block}`)}`;
  return (
    await bash('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { maxBuffer: 2 ** 24, timeout: 300_000 })
  ).stdout;
}

/** The only block of the tour that contains this. */
function blockWith(part: string): string {
  const found = blocks.filter((block) => block.includes(part));
  expect(found).toHaveLength(1);
  return found[0]!;
}
const runWith = (part: string): Promise<string> => run(blockWith(part));

test('the page of the demo shows these commands, with its ports', () => {
  const ports = { adminUrl: 'http://127.0.0.1:1', liveUrl: 'http://127.0.0.1:8080', originUrl: 'http://127.0.0.1:3' };
  const steps = tourSteps({ ...ports, adServerUrl: 'http://127.0.0.1:4', apiKey: 'demo-key' });
  const used: Record<string, string> = { 8080: '1', 8081: '8080', 8090: '3', 8091: '4' };
  expect(steps.map(({ commands }) => commands)).toEqual(
    written.map((block) => block.replaceAll(/(?<=127\.0\.0\.1:)\d+/g, (port) => used[port]!)),
  );
  for (const { title, text } of steps)
    expect([title, text]).toEqual([expect.stringMatching(/^\w/), expect.not.stringMatching(/[*`\]]/)]);
});

test('every command of the tour shows something', async () => {
  const playlist = await runWith('"$ADMIN/api/v2/playlists"');
  expect(playlist).toContain('<rss');
  const channel = await runWith('"$ADMIN/api/v2/channels"');
  expect(channel).toContain('"kind":"content"');
  expect(channel).toContain('"landsAt"');
  const viewer = await runWith('/hls/mine/');
  expect(viewer).toContain('#EXT-X-STREAM-INF');
  expect(viewer.match(/"mediaURL"/g)).toHaveLength(2);

  const trace = () => runWith('/sessions/$SESSION');
  await expect.poll(trace).toContain('"outcome":"stitched"');
  expect(await trace()).toMatch(/"avails":\[\{.*"adTitle"/);

  const [session] = blockWith('/sessions/$SESSION').split('\n');
  const report = () => run(`${session}\n${blockWith('/beacons?')}`);
  const delivered = await report();
  expect(delivered).toContain('"event":"complete"');
  expect(delivered).toContain('"state":"ready"');
  await expect.poll(async () => filledSeconds(await report())).toBeGreaterThan(0);

  expect(await runWith('/playlists/generate')).toContain('"spliceTime":10');
  expect(blocks).toHaveLength(6);
});

/** The sum of `secondsFilled` in the rows of the report, which has at most eleven. */
function filledSeconds(output: string): number {
  const lines = output.split(/\r?\n/);
  const head = lines.findIndex((line) => line.startsWith('time,'));
  const column = lines[head]!.split(',').indexOf('secondsFilled');
  const rows = lines.slice(head + 1).filter((line) => /^\d{4}-/.test(line));
  expect(column).toBeGreaterThan(0);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThanOrEqual(11);
  return rows.reduce((sum, row) => sum + Number(row.split(',')[column]), 0);
}
