// SPDX-License-Identifier: Apache-2.0
// The demo with several nodes on free ports: its origin, its ad server, and a cluster with data of its own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAdServer } from '../../demo/adServer.ts';
import { type Cluster, startCluster } from '../../demo/cluster/cluster.ts';
import { packagedFolder, startOrigin } from '../../demo/origin.ts';
import type { DemoServers } from './demoServers.ts';

export type DemoCluster = Omit<DemoServers, 'midroll' | 'dataDir'> & { readonly cluster: Cluster };

/** With two prebuilt ads, so that no encoder takes processor time from players. */
export async function startDemoCluster(): Promise<DemoCluster> {
  const apiKey = 'demo-key';
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-cluster-'));
  const stops: (() => unknown)[] = [() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  };
  try {
    cpSync(packagedFolder, join(dataDir, 'prebuilt'), { recursive: true });
    const origin = await startOrigin(0);
    stops.push(origin.close);
    const adServer = await startAdServer(0, origin.url);
    stops.push(adServer.close);
    const cluster = await startCluster({ dataDir, apiKey, isTemporary: true, port: 0, workers: 1 });
    stops.push(cluster.close);
    return { cluster, api: { adminUrl: cluster.adminUrl, apiKey }, origin: origin.url, adServer: adServer.url, close };
  } catch (error) {
    await close();
    throw error;
  }
}
