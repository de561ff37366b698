// SPDX-License-Identifier: Apache-2.0
// Hours of live channels in virtual time: three nodes on one database, origins and markers in random trouble, viewers whose requests
// go to any node. Nodes are suspended, killed and started again; the database becomes unavailable.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlBreakOrders } from '../../../src/adapters/sql/channels/sqlBreakOrders.ts';
import { sqlChannels } from '../../../src/adapters/sql/channels/sqlChannels.ts';
import { sqlLiveFeeds } from '../../../src/adapters/sql/live/sqlLiveFeeds.ts';
import { openSqlite } from '../../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../../src/adapters/systemClock.ts';
import type { Channel } from '../../../src/channels/channel.ts';
import { analyseOrigin } from '../../../src/ingest/live/analyseOrigin.ts';
import { createDashSampler } from '../../../src/ingest/live/dash/sampleDashOrigin.ts';
import { sampleHlsOrigin } from '../../../src/ingest/live/hls/sampleHlsOrigin.ts';
import type { LiveFeed } from '../../../src/live/feed.ts';
import { feedLadder } from '../../../src/planning/live/feedLadder.ts';
import type { Session } from '../../../src/sessions/session.ts';
import type { Ladder } from '../../../src/timeline/ladder/ladder.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createManualClock } from '../manualClock.ts';
import { seedIds } from './seededIds.ts';
import { adServerOf, findMediaIn, libraryFor, slateOf } from './soakAds.ts';
import { createSoakBreaks } from './soakBreaks.ts';
import { type SoakNode, startSoakNode } from './soakNode.ts';
import { createSoakOrders } from './soakOrders.ts';
import { createSoakOrigin, type SoakOrigin } from './soakOrigin.ts';
import { createSoakProcess } from './soakProcess.ts';
import { createSoakTroubles } from './soakTroubles.ts';
import { type Watched, watchSoak } from './soakViewer.ts';

const START = Date.parse('2026-03-01T06:00:00.000Z');
const NODES = 3;
const KEY = { tenant: 'acme', apiKey: 'key', createdBy: 'ann@example.com', createdAt: '2026-03-01T00:00:00.000Z' };

export type SoakReport = {
  readonly hours: number;
  readonly troubles: Readonly<Record<string, number>>;
  readonly breaks: Readonly<Record<string, number>>;
  readonly nodes: Readonly<Record<string, number>>;
  readonly watched: Watched & { readonly viewers: number };
  readonly adRequests: number;
  readonly decisions: number;
  /** Broken laws and unexpected errors. */
  readonly violations: readonly string[];
  /** Warnings of the nodes, by message. */
  readonly warnings: Readonly<Record<string, number>>;
  /** MB, at the start and after each hour. */
  readonly heap: readonly number[];
  /** Seconds. */
  readonly cpu: number;
};

export type SoakOptions = {
  readonly seed: number;
  readonly minutes: number;
  /** @returns bytes in use, after garbage was collected */
  readonly heapUsed?: () => number;
  readonly onHour?: (hour: number, report: SoakReport) => void;
};

type Channels = { readonly id: string; readonly format: Session['format'] }[];

/** A channel with one HLS origin for both formats and a backup, and one with an origin for each format. */
async function putOnAir(
  sql: Awaited<ReturnType<typeof openSqlite>>,
  origins: readonly SoakOrigin[],
  now: () => number,
) {
  const ladders: Ladder[] = [];
  const clock = { now: () => now() as never, timers: systemTimers };
  async function begin(channelId: string, origin: SoakOrigin, url: string): Promise<void> {
    const sample = { hls: sampleHlsOrigin, dash: createDashSampler(clock.now) };
    const found = await analyseOrigin({ origin: origin.forNode(-1, clock, () => 0), now: clock.now, sample }, url);
    if (found.playable === undefined) throw new Error(found.problems.join());
    const derived = feedLadder(found.playable);
    if (typeof derived === 'string') throw new Error(derived);
    const feed: LiveFeed = {
      ...{ channelId, tenant: KEY.tenant, life: `${channelId} ${found.playable.format}`, url, startedAt: clock.now() },
      ...{ format: found.playable.format, serves: found.playable.serves, slateId: slateOf(ladders.length) },
      ...{ ladder: derived.ladder, rungs: derived.rungs },
    };
    ladders.push(derived.ladder);
    await sqlLiveFeeds(sql).begin(feed);
  }
  const common = { ...KEY, type: 'live', state: 'enabled', tracking: 'server', timeShiftWindow: 0 } as const;
  const adSource = { url: 'https://ads.example/vast' };
  const [one, two, backup] = origins as [SoakOrigin, SoakOrigin, SoakOrigin];
  const channels: Channel[] = [
    {
      ...{ ...common, id: 'one', playlistSize: 30, sourceManifestUrl: one.hlsUrl, adSource },
      ...{ preroll: { maxDuration: 12 }, backupManifestUrls: [backup.hlsUrl] },
    },
    {
      ...{
        ...common,
        id: 'two',
        playlistSize: 24,
        sourceManifestUrl: two.hlsUrl,
        sourceDashUrl: two.dashUrl,
        adSource,
      },
      ...{ breakFill: 'content', maxBreakDuration: 60, markers: 'pass', prefetch: 'decision' },
    },
  ];
  for (const channel of channels) await sqlChannels(sql).insert(channel);
  await begin('one', one, one.hlsUrl);
  await begin('two', two, two.hlsUrl);
  await begin('two', two, two.dashUrl);
  return ladders;
}

const watchedKinds: Channels = [
  { id: 'one', format: 'hls' },
  { id: 'one', format: 'dash' },
  { id: 'two', format: 'hls' },
  { id: 'two', format: 'dash' },
];

export async function runLiveSoak({ seed, minutes, heapUsed, onHour }: SoakOptions): Promise<SoakReport> {
  const random = seededRandom(seed);
  const restoreIds = seedIds(seededRandom(seed + 1_000_003));
  const folder = mkdtempSync(join(tmpdir(), 'midroll-soak-'));
  const sql = await openSqlite(':memory:');
  const clock = createManualClock(START + Math.floor(5000 * random()), () => false);
  const { now, timers } = clock;
  const cpuBefore = process.cpuUsage();
  const origins = [
    await createSoakOrigin('one', 'cmaf', now, { window: 8 }),
    await createSoakOrigin('two', 'cmaf', now, { window: 12, dates: 'first' }),
    await createSoakOrigin('backup', 'cmaf', now, { window: 8 }),
  ];
  const ladders = await putOnAir(sql, origins, now);
  const troubles = createSoakTroubles(origins, random, now);
  const breaks = createSoakBreaks(origins, random, now);
  const ordered = ['one', 'two'].map((id) => ({ tenant: KEY.tenant, id }));
  const orders = createSoakOrders(sqlBreakOrders(sql), ordered, random, now);
  const violations: string[] = [];
  const warnings: Record<string, number> = {};
  const counts: Record<string, number> = {};
  const watched: Watched & { viewers: number } = {
    ...{ viewers: 0, polls: 0, refused: 0, lost: 0, segments: 0, slateMs: 0, adMs: 0, longestStill: 0 },
  };
  let storeAwayAt = 0;
  let [adRequests, decisions] = [0, 0];
  const heap: number[] = [];
  const count = (kind: string) => {
    counts[kind] = (counts[kind] ?? 0) + 1;
  };

  function warn(message: string, { error, reason }: Record<string, unknown>): void {
    const text = `${message}: ${String(reason ?? error).replace(/\d+/g, 'N')}`;
    warnings[text] = (warnings[text] ?? 0) + 1;
    const isBug = error instanceof TypeError || error instanceof RangeError || /assert/i.test((error as Error)?.name);
    if (isBug && violations.length < 20) violations.push(`${message}: ${(error as Error).stack}`);
  }
  function startNode(index: number): SoakNode {
    const ahead = Math.round(300 * (random() - 0.5));
    const process = createSoakProcess(sql, clock, ahead);
    const origin = origins.map((one) => one.forNode(index, process.clock, () => pick(random, [20, 50, 150])));
    const forUrl = (url: string) => origin[origins.findIndex(({ name }) => url.startsWith(`https://${name}.`))]!;
    return startSoakNode({
      ...{ process, warn, folder: join(folder, `${index}`), findMedia: findMediaIn(ladders) },
      origin: { read: (url, options) => forUrl(url).read(url, options), save: origin[0]!.save },
      library: libraryFor(ladders),
      requestAds: adServerOf(process.clock.timers, random, () => {
        adRequests += 1;
      }),
      onRecorded: () => {
        decisions += 1;
      },
    });
  }
  const nodes = Array.from({ length: NODES }, (_, index) => startNode(index));
  for (const node of nodes) await node.refresh();
  const running = () => nodes.filter(({ process }) => !process.isSuspended() && !down.has(process));
  const down = new Set<SoakNode['process']>();

  /** Viewers come and go. With `sticks`, all requests of a viewer go to one node. */
  async function watchPhase(until: number, sticks: boolean): Promise<void> {
    const viewers = watchedKinds.flatMap(({ id, format }) =>
      [0, 1].map(async (place) => {
        const own = nodes[Math.floor(NODES * random())]!;
        const node = sticks ? () => own : () => pick(random, running());
        let leavesAt = 0;
        while (now() < until) {
          if (place > 0) await clockSleep(20_000 * random());
          leavesAt = place === 0 ? until : Math.min(until, now() + 20_000 + 240_000 * random());
          watched.viewers += 1;
          await watchSoak({
            ...{ clock, random, channel: id, format, node, watched },
            storeAwayAt: () => (nodes.some(({ process }) => process.store.isUnavailable()) ? now() : storeAwayAt),
            violated: (message) => void (violations.length < 20 && violations.push(message)),
            isOver: () => now() >= leavesAt,
          });
        }
      }),
    );
    await Promise.all(viewers);
  }
  const clockSleep = (ms: number) => new Promise<void>((resolve) => void timers.after(ms, resolve));

  /** Suspends, kills and starts nodes. One of them always runs. */
  async function disturbNodes(until: number): Promise<void> {
    while (now() < until) {
      await clockSleep(2000 + 60_000 * random() ** 2);
      if (running().length < 2) continue;
      const node = pick(random, running());
      const index = nodes.indexOf(node);
      if (random() < 0.5) {
        count('suspended');
        node.process.suspend();
        timers.after(200 + 30_000 * random() ** 2, () => node.process.resume());
      } else {
        count('killed');
        down.add(node.process);
        node.process.kill();
        timers.after(500 + 20_000 * random() ** 2, () => {
          nodes[index] = startNode(index);
          down.delete(node.process);
          void nodes[index]!.refresh();
        });
      }
    }
  }
  /** Cuts nodes off from the database, each on its own or all at once. */
  async function disturbStore(until: number): Promise<void> {
    while (now() < until - 60_000) {
      await clockSleep(5000 + 60_000 * random());
      const hit = random() < 0.4 ? nodes : [pick(random, nodes)];
      const how = pick(random, ['refused', 'silent', 'lost'] as const);
      for (const { process } of hit) process.store.begin(how);
      count(`database ${how}`);
      await clockSleep(500 + 60_000 * random() ** 2);
      for (const { process } of hit) process.store.end();
      storeAwayAt = now();
    }
  }
  function report(): SoakReport {
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      ...{
        hours: (now() - START) / 3_600_000,
        violations,
        warnings,
        nodes: counts,
        watched,
        adRequests,
        decisions,
        heap,
      },
      troubles: Object.fromEntries([...troubles.counts].sort()),
      breaks: Object.fromEntries([...breaks.counts, ...orders.counts].sort()),
      cpu: Math.round((user + system) / 1e6),
    };
  }

  const endsAt = now() + minutes * 60_000;
  const ticking = timers.every(1000, () => {
    troubles.tick();
    breaks.tick();
    orders.tick();
  });
  async function run(): Promise<void> {
    for (let phase = 0; now() < endsAt; phase += 1) {
      const until = Math.min(endsAt, now() + 180_000 + 600_000 * random());
      const sticks = phase % 2 === 1;
      await Promise.all([watchPhase(until, sticks), sticks ? disturbStore(until) : disturbNodes(until)]);
      // What a node has shown during an outage differs from the log, and concerns its viewers only.
      await clockSleep(31_000);
      for (const [index, node] of nodes.entries()) {
        node.process.kill();
        nodes[index] = startNode(index);
      }
      for (const node of nodes) await node.refresh();
      if (random() < 0.3) {
        count('idle');
        await clockSleep(120_000);
      }
    }
  }
  try {
    if (heapUsed !== undefined) heap.push(Math.round(heapUsed() / 1e5) / 10);
    let isDone = false;
    const running = run().finally(() => {
      isDone = true;
    });
    running.catch(() => {});
    for (let minute = 1; !isDone; minute += 1) {
      await clock.advance(60_000);
      if (minute % 60 !== 0) continue;
      if (heapUsed !== undefined) heap.push(Math.round(heapUsed() / 1e5) / 10);
      onHour?.(minute / 60, report());
    }
    await running;
    return report();
  } finally {
    ticking.cancel();
    for (const { process } of nodes) process.kill();
    restoreIds();
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
