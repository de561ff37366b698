// SPDX-License-Identifier: Apache-2.0
// What the commands in the documentation run against: the demo's channel on air with a viewer, in what looks like a checkout.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startAdServer } from '../../demo/adServer.ts';
import { type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { startOrigin } from '../../demo/origin.ts';
import { channelId, channelKey, seed } from '../../demo/seed.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { root } from '../../site/markdownPages.ts';
import type { Shell } from './runBlocks.ts';
import { installTools } from './tools.ts';

export type DocsStage = { shell(): Shell; close(): Promise<void> };

const apiKey = 'demo-key';
const isNotLinked = new Set(['.git', 'data', '.cache']);

/** A folder whose entries are those of the repository, except its data. */
function checkout(dataDir: string, scratch: string): string {
  const folder = mkdtempSync(join(scratch, 'checkout-'));
  const names = readdirSync(root).filter((name) => !isNotLinked.has(name));
  for (const name of names) symlinkSync(join(root, name), join(folder, name));
  symlinkSync(dataDir, join(folder, 'data'));
  return folder;
}

/** Waits until a viewer watches the channel. @returns the id of the session */
async function watch({ adminUrl, liveUrl }: MidrollProcess): Promise<string> {
  expect(await untilPlaying(`${liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 600)).toBe(true);
  const sessions = await list<{ id: string }>(`${adminUrl}/api/v2/channels/${channelId}/sessions`);
  return sessions[0]!.id;
}

async function list<Item>(url: string): Promise<Item[]> {
  const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
  return (await response.json()) as Item[];
}

export async function openDocsStage(): Promise<DocsStage> {
  const scratch = mkdtempSync(join(tmpdir(), 'midroll-docs-'));
  const dataDir = join(scratch, 'data');
  mkdirSync(dataDir);
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  const midroll = await startMidrollProcess({ dataDir, apiKey });
  await seed({ adminUrl: midroll.adminUrl, apiKey }, { origin: origin.url, adServer: adServer.url });
  const sessionId = await watch(midroll);
  const [system] = await list<{ id: string }>(`${midroll.adminUrl}/api/v2/systems`);
  const places = [
    [8080, midroll.adminUrl],
    [8081, midroll.liveUrl],
    [8090, origin.url],
    [8091, adServer.url],
  ] as const;
  // Documented in docs/api.md, "Variables in commands".
  const env = {
    ...installTools(scratch),
    BASE_URL: midroll.adminUrl,
    LIVE: midroll.liveUrl,
    KEY: apiKey,
    CHANNEL: channelId,
    CHANNEL_KEY: channelKey,
    SYSTEM: system!.id,
    SESSION_ID: sessionId,
  };
  return {
    shell: () => ({
      cwd: checkout(dataDir, scratch),
      env,
      places: places.flatMap(([port, url]) =>
        ['127.0.0.1', 'localhost'].map((host) => [`http://${host}:${port}`, url] as const),
      ),
    }),
    close: async () => {
      await midroll.close();
      await adServer.close();
      await origin.close();
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
