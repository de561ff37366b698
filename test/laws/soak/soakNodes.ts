// SPDX-License-Identifier: Apache-2.0
// The nodes of the soak on one database: they are suspended, killed and started again, and cut off from the database.
import { join } from 'node:path';
import type { Sql } from '../../../src/adapters/sql/sql.ts';
import { type Clock, sleep } from '../../../src/time/clock.ts';
import type { Ladder } from '../../../src/timeline/ladder/ladder.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import { adServerOf, findMediaIn, libraryFor } from './soakAds.ts';
import { type SoakNode, startSoakNode } from './soakNode.ts';
import type { SoakOrigin } from './soakOrigin.ts';
import { createSoakProcess } from './soakProcess.ts';

const NODES = 3;

export type SoakNodesDeps = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly random: () => number;
  readonly origins: readonly SoakOrigin[];
  readonly ladders: readonly Ladder[];
  readonly folder: string;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

export type SoakCounts = {
  /** What has happened to nodes, and how often. */
  readonly nodes: Readonly<Record<string, number>>;
  readonly adRequests: number;
  readonly decisions: number;
};

export type SoakNodes = {
  all(): readonly SoakNode[];
  /** A node that is not suspended or killed. */
  anyRunning(): SoakNode;
  /** Starts all nodes, those that run again. */
  restartAll(): Promise<void>;
  killAll(): void;
  /** Suspends, kills and starts nodes. One of them always runs. */
  disturbProcesses(until: number): Promise<void>;
  /** Cuts nodes off from the database, each on its own or all at once. */
  disturbStore(until: number): Promise<void>;
  /** When the database was last away: now, while it is. */
  storeAwayAt(): number;
  counts(): SoakCounts;
};

export function createSoakNodes({ sql, clock, random, origins, ladders, folder, warn }: SoakNodesDeps): SoakNodes {
  const { now, timers } = clock;
  const counts: Record<string, number> = {};
  let [adRequests, decisions, storeAwayAt] = [0, 0, 0];
  const nodes: SoakNode[] = [];
  const down = new Set<SoakNode['process']>();

  function count(kind: string): void {
    counts[kind] = (counts[kind] ?? 0) + 1;
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
  const running = () => nodes.filter(({ process }) => !process.isSuspended() && !down.has(process));

  function suspend({ process }: SoakNode): void {
    count('suspended');
    process.suspend();
    timers.after(200 + 30_000 * random() ** 2, () => process.resume());
  }
  function kill({ process }: SoakNode, index: number): void {
    count('killed');
    down.add(process);
    process.kill();
    timers.after(500 + 20_000 * random() ** 2, () => {
      nodes[index] = startNode(index);
      down.delete(process);
      void nodes[index]!.refresh();
    });
  }

  return {
    all: () => nodes,
    anyRunning: () => pick(random, running()),
    async restartAll() {
      for (let index = 0; index < NODES; index += 1) {
        nodes[index]?.process.kill();
        nodes[index] = startNode(index);
      }
      for (const node of nodes) await node.refresh();
    },
    killAll() {
      for (const { process } of nodes) process.kill();
    },
    async disturbProcesses(until) {
      while (now() < until) {
        await sleep(timers, 2000 + 60_000 * random() ** 2);
        if (running().length < 2) continue;
        const node = pick(random, running());
        if (random() < 0.5) suspend(node);
        else kill(node, nodes.indexOf(node));
      }
    },
    async disturbStore(until) {
      while (now() < until - 60_000) {
        await sleep(timers, 5000 + 60_000 * random());
        const hit = random() < 0.4 ? nodes : [pick(random, nodes)];
        const how = pick(random, ['refused', 'silent', 'lost'] as const);
        for (const { process } of hit) process.store.begin(how);
        count(`database ${how}`);
        await sleep(timers, 500 + 60_000 * random() ** 2);
        for (const { process } of hit) process.store.end();
        storeAwayAt = now();
      }
    },
    storeAwayAt: () => (nodes.some(({ process }) => process.store.isUnavailable()) ? now() : storeAwayAt),
    counts: () => ({ nodes: counts, adRequests, decisions }),
  };
}
