// SPDX-License-Identifier: Apache-2.0
// What the commands in the documentation run against: the demo's channel on air with a viewer, in what looks like a checkout.
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { channelId, channelKey, seed } from '../../demo/seed.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { root } from '../../site/markdownPages.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';
import { installTools } from './installTools.ts';
import type { Shell } from './runBlocks.ts';

export type DocsStage = { shell(): Shell; close(): Promise<void> };

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
async function watch({ midroll, api }: DemoServers): Promise<string> {
  expect(await untilPlaying(`${midroll.liveUrl}/hls/${channelId}/master.m3u8?api-key=${channelKey}`, 600)).toBe(true);
  const sessions = await callAdmin<{ id: string }[]>(api, 'GET', `/channels/${channelId}/sessions`);
  return sessions[0]!.id;
}

export async function openDocsStage(): Promise<DocsStage> {
  const scratch = mkdtempSync(join(tmpdir(), 'midroll-docs-'));
  const servers = await startDemoServers();
  const { midroll, api, origin, adServer, dataDir } = servers;
  await seed(api, { origin, adServer });
  const sessionId = await watch(servers);
  const [system] = await callAdmin<{ id: string }[]>(api, 'GET', '/systems');
  const places = [
    [8080, midroll.adminUrl],
    [8081, midroll.liveUrl],
    [8090, origin],
    [8091, adServer],
  ] as const;
  // Documented in docs/api.md, "Variables in commands".
  const env = {
    ...installTools(scratch),
    BASE_URL: midroll.adminUrl,
    LIVE: midroll.liveUrl,
    KEY: api.apiKey,
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
      await servers.close();
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
