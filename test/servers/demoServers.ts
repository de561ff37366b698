// SPDX-License-Identifier: Apache-2.0
// The servers of the demo on free ports: its origin, its ad server, and Midroll as a process or as several nodes, with data of its own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAdServer } from '../../demo/adServer.ts';
import type { AdminAccess } from '../../demo/callAdmin.ts';
import { type Cluster, startCluster } from '../../demo/cluster/cluster.ts';
import { type MidrollOptions, type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { packagedFolder, startOrigin } from '../../demo/origin.ts';

export type DemoServers = {
  readonly midroll: MidrollProcess;
  readonly api: AdminAccess;
  /** URLs. */
  readonly origin: string;
  readonly adServer: string;
  readonly dataDir: string;
  close(): Promise<void>;
};

type Options = Pick<MidrollOptions, 'adminPort' | 'livePort'> & {
  /** Two ads need no encoder then, which takes processor time from players. */
  readonly hasPrebuiltAds?: boolean;
};

/** What both kinds of the demo have; `start` starts Midroll. If something does not start, what has started is closed. */
async function startDemo<Running extends { readonly adminUrl: string; close(): Promise<void> }>(
  hasPrebuiltAds: boolean,
  start: (data: { readonly dataDir: string; readonly apiKey: string }) => Promise<Running>,
) {
  const apiKey = 'demo-key';
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-servers-'));
  const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    if (hasPrebuiltAds) cpSync(packagedFolder, join(dataDir, 'prebuilt'), { recursive: true });
    const origin = await startOrigin(0);
    stops.push(origin.close);
    const adServer = await startAdServer(0, origin.url);
    stops.push(adServer.close);
    const running = await start({ dataDir, apiKey });
    stops.push(running.close);
    const api = { adminUrl: running.adminUrl, apiKey };
    return { running, api, origin: origin.url, adServer: adServer.url, dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function startDemoServers({ hasPrebuiltAds = false, ...ports }: Options = {}): Promise<DemoServers> {
  const { running, ...servers } = await startDemo(hasPrebuiltAds, (data) => startMidrollProcess({ ...ports, ...data }));
  return { midroll: running, ...servers };
}

export type DemoCluster = Omit<DemoServers, 'midroll' | 'dataDir'> & { readonly cluster: Cluster };

/** Several nodes, with two prebuilt ads, so that no encoder takes processor time from players. */
export async function startDemoCluster(): Promise<DemoCluster> {
  const { running, ...servers } = await startDemo(true, (data) =>
    startCluster({ ...data, isTemporary: true, port: 0, workers: 1 }),
  );
  return { cluster: running, ...servers };
}
