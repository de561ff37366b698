// SPDX-License-Identifier: Apache-2.0
// Everything that the chaos test runs: three serving nodes and two creative workers on PostgreSQL, a Redis cluster, nginx, an
// origin of each kind, an ad server and a tracking host.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { BeaconResponse } from '../../src/http/contract/beaconContract.ts';
import { realClock } from '../clock/testClock.ts';
import { type Balance, type NginxSample, startNginx } from '../deploy/startNginx.ts';
import { startMediaOrigin } from '../live/mediaOrigin.ts';
import { type ApiResponse, apiKey } from '../live/midroll.ts';
import { startLiveOrigin } from '../live/origin/liveOrigin.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';
import { startPostgres } from '../servers/startPostgres.ts';
import { startRedisCluster } from '../servers/startRedisCluster.ts';
import { type ChaosAds, startChaosAds } from './chaosAds.ts';
import { type ChaosNode, type ChaosProcess, startNode, startWorker } from './chaosProcess.ts';
import { randomSkew, type TroubleTargets } from './chaosTroubles.ts';

export type ChaosStage = TroubleTargets & {
  readonly ads: ChaosAds;
  /** The load balancer of the moment. */
  balancer(): NginxSample;
  /** Replaces the load balancer. */
  balance(how: Balance): Promise<void>;
  /** A request of the administrative API, at any node that responds. */
  api(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** All rows of the ledger. */
  ledger(): Promise<BeaconResponse[]>;
  close(): Promise<void>;
};

const NODES = 3;
const WORKERS = 2;

/** The channels; all of them have the key `key`. */
export const CHANNELS = ['linear', 'live', 'film'] as const;

async function airAll({ api, ads }: Pick<ChaosStage, 'api' | 'ads'>, video: string, liveUrl: string): Promise<void> {
  const create = async (collection: string, record: object) => {
    const { status, json } = await api('POST', `/${collection}`, record);
    if (status !== 201) throw new Error(`creating ${collection} returned ${status}: ${JSON.stringify(json)}`);
  };
  const item = (cuePoints: readonly object[]) => ({ sourceType: 'url', url: video, cuePoints });
  const breakOf = (spliceTime: number) => ({ spliceTime, maxDuration: 12 });
  const channel = { state: 'enabled', apiKey: 'key' };
  await create('playlists', { id: 'linear', status: 'enabled', contents: [item([breakOf(12)])] });
  await create('channels', { id: 'linear', playlistId: 'linear', adSource: ads.adSource, ...channel });
  // The same ads, with a rate and caps that are not reached.
  await create('ad-sources', { id: 'server', type: 'vast', maxPerSecond: 1000, ...ads.adSource });
  const adRules = { frequencyCaps: [{ per: 'creative', max: 1000, hours: 1 }] };
  const demand = { adSteps: [{ sources: ['server'] }], adRules };
  const cuePoints = [breakOf(0), breakOf(8), breakOf(16)];
  await create('playlists', { id: 'film', status: 'enabled', type: 'vod', contents: [item(cuePoints)] });
  await create('channels', { id: 'film', type: 'vod', playlistId: 'film', ...demand, ...channel });
  await create('channels', { id: 'live', type: 'live', sourceManifestUrl: liveUrl, ...demand, ...channel });
}

/** Waits until all channels are on air on all nodes, with their creatives. */
async function untilOnAir({ api, ads, nodes }: Pick<ChaosStage, 'api' | 'ads' | 'nodes'>): Promise<void> {
  const opens = async (node: ChaosNode, channel: string) => {
    const response = await fetch(`${node.midroll.liveUrl}/hls/view/${channel}?api-key=key`);
    await response.arrayBuffer();
    return response.ok;
  };
  for (const channel of CHANNELS) {
    for (const node of nodes) while (!(await opens(node, channel))) await wait(250);
    const prepare = () => api('POST', '/assets', { vastUrl: ads.vastUrl, channels: [channel] });
    for (let made = await prepare(); made.status >= 300; made = await prepare()) {
      if (made.status !== 409) throw new Error(`preparing ads returned ${made.status}: ${JSON.stringify(made.json)}`);
      await wait(250);
    }
    const isInWork = ({ state }: { readonly state: string }) => state === 'waiting' || state === 'preparing';
    while ((await api('GET', `/assets?channel=${channel}`)).json.some(isInWork)) await wait(250);
  }
}

export type ChaosSetup = {
  readonly random: () => number;
  /** Whether sessions are in a Redis cluster; otherwise they are in PostgreSQL. */
  readonly redis: boolean;
};

export async function openChaosStage({ random, redis: hasRedis }: ChaosSetup): Promise<ChaosStage> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-chaos-'));
  const media = join(folder, 'media');
  mkdirSync(media);
  // Each server ends with this process.
  process.setMaxListeners(64);
  const endings: (() => Promise<unknown>)[] = [];
  const opened = async <Value>(making: Promise<Value>, end: (value: Value) => Promise<unknown>): Promise<Value> => {
    const value = await making;
    endings.push(() => end(value));
    return value;
  };
  async function close(): Promise<void> {
    // Nodes before their stores.
    for (const end of endings.reverse()) await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  try {
    const clock = realClock();
    const origin = await opened(startMediaOrigin(), (one) => one.close());
    const breaks = { every: 32, seconds: 12, first: 70 };
    const live = await opened(startLiveOrigin({ clock, window: 12, breaks }), (one) => one.close());
    const [video, four, six, two] = await Promise.all([
      makeVideo(origin.folder, 'video', { seconds: 24 }),
      makeSpot(origin.folder, 'four', 4),
      makeSpot(origin.folder, 'six', 6),
      makeSpot(origin.folder, 'two', 2),
    ]);
    const creatives = { url: origin.url, folder: origin.folder, four, six, two };
    const ads = await opened(startChaosAds(creatives, random), (one) => one.close());
    const postgres = await opened(startPostgres(['-c', 'fsync=off']), (one) => one.stop());
    const redis = hasRedis ? await opened(startRedisCluster(), (one) => one.stop()) : undefined;
    const settings = {
      DATABASE_URL: postgres.url,
      SECRET_KEY: 'a secret for tests',
      TRUSTED_PROXIES: '127.0.0.1',
      DRAIN_SECONDS: '2',
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    };
    const setup = (name: string) => ({ name, folder, media, settings, skew: randomSkew(random) });
    const workers: ChaosProcess[] = [];
    const nodes: ChaosNode[] = [];
    const end = async (one: ChaosProcess) => {
      if (one.state() === 'suspended') one.resume();
      await one.close();
    };
    // One after the other: the first one creates the tables.
    for (let index = 0; index < NODES; index += 1) nodes.push(await opened(startNode(setup(`node${index + 1}`)), end));
    for (let index = 0; index < WORKERS; index += 1)
      workers.push(await opened(startWorker(setup(`worker${index + 1}`)), end));
    const balanced = nodes.map(({ midroll }) => midroll);
    let nginx = await startNginx(balanced);
    endings.push(() => nginx.close());

    async function api(method: string, path: string, body?: unknown): Promise<ApiResponse> {
      for (let tries = 0; ; tries += 1) {
        const node = nodes[tries % nodes.length]!;
        try {
          if (node.state() === 'running') return await node.midroll.api(method, path, body);
        } catch {
          // The node was killed.
        }
        await wait(100);
      }
    }
    const stage: ChaosStage = {
      ...{ nodes, workers, postgres, redis, ads, api, close },
      balancer: () => nginx,
      async balance(how) {
        const before = nginx;
        nginx = await startNginx(balanced, how);
        await before.close();
      },
      async ledger() {
        const [node] = nodes as [ChaosNode];
        const response = await fetch(`${node.midroll.adminUrl}/api/v2/beacons`, {
          headers: { 'x-api-key': apiKey, accept: 'application/x-ndjson' },
        });
        if (response.status !== 200) throw new Error(`the ledger returned ${response.status}`);
        return (await response.text())
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line));
      },
    };
    await airAll(stage, origin.url + video, live.hlsUrl);
    await untilOnAir(stage);
    return stage;
  } catch (error) {
    await close();
    throw error;
  }
}
