// SPDX-License-Identifier: Apache-2.0
// The README's tour: runs each of its commands, in order, against everything that `npm run demo` starts.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdServer } from '../demo/adServer.ts';
import { startMidrollProcess } from '../demo/midrollProcess.ts';
import { startOrigin } from '../demo/origin.ts';
import { channelKey, seed } from '../demo/seed.ts';
import { untilPlaying } from '../demo/untilPlaying.ts';

const bash = promisify(execFile);
const stops: (() => unknown)[] = [];
/** Addresses in the README, and what they are in this test. */
const places: [string, string][] = [];
let liveUrl = '';

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-tour-'));
  stops.push(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  const midroll = await startMidrollProcess({ dataDir, apiKey: 'demo-key' });
  stops.push(
    () => origin.close(),
    () => adServer.close(),
    () => midroll.close(),
  );
  liveUrl = midroll.liveUrl;
  places.push(
    ['http://127.0.0.1:8080', midroll.adminUrl],
    ['http://127.0.0.1:8081', midroll.liveUrl],
    ['http://127.0.0.1:8090', origin.url],
    ['http://127.0.0.1:8091', adServer.url],
  );
  await seed({ adminUrl: midroll.adminUrl, apiKey: 'demo-key' }, { origin: origin.url, adServer: adServer.url });
  expect(await untilPlaying(`${midroll.liveUrl}/hls/demo/master.m3u8?api-key=${channelKey}`, 600)).toBe(true);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const here = (text: string): string => places.reduce((said, [there, is]) => said.replaceAll(there, is), text);

/** Runs a block; `curl` fails when the response is an error. */
async function run(block: string): Promise<string> {
  const script = `curl() { command curl -sS --fail-with-body "$@"; echo; }\n${block}`;
  return (await bash('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script])).stdout;
}

test('every command of the tour works', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
  const tour = readme.slice(readme.indexOf('## The tour'), readme.indexOf('## Further'));
  const [settings, ...blocks] = [...tour.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => here(block!));
  expect(blocks.length).toBeGreaterThan(4);
  const outputs: string[] = [];
  let sessionId = '';
  for (const block of blocks) {
    if (block.includes('$LIVE/hls/mine')) await untilPlaying(`${liveUrl}/hls/mine/master.m3u8?api-key=watch-mine`, 600);
    if (block.includes('/SESSION_ID') && sessionId === '') {
      const list = async () => {
        const answer = await run(`${settings}\ncurl -H "$KEY" "$ADMIN/api/v2/channels/mine/sessions"`);
        [{ id: sessionId } = { id: '' }] = JSON.parse(answer) as { id: string }[];
        return sessionId;
      };
      await expect.poll(list).not.toBe('');
    }
    outputs.push(await run(`${settings}\n${block.replaceAll(/\/SESSION_ID/g, `/${sessionId}`)}`));
  }
  const said = outputs.join('\n');
  expect(said).toContain('#EXT-X-STREAM-INF');
  expect(said).toContain('"mediaURL"');
  expect(said).toContain('<rss');
  expect(said).toContain('"avails"');
});
