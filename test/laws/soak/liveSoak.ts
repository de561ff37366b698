// SPDX-License-Identifier: Apache-2.0
// Hours of live channels in virtual time: three nodes on one database, origins and markers in random trouble, viewers whose requests
// go to any node. Nodes are suspended, killed and started again; the database becomes unavailable.
import { sqlBreakOrders } from '../../../src/adapters/sql/channels/sqlBreakOrders.ts';
import { sleep } from '../../../src/time/clock.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import { linesOn } from './badLines.ts';
import { beginBirth, births } from './soakBirths.ts';
import { createSoakBreaks } from './soakBreaks.ts';
import { soakChannels, watchedKinds } from './soakChannels.ts';
import type { SoakCounts } from './soakNodes.ts';
import { createSoakOrders } from './soakOrders.ts';
import type { SoakOrigin } from './soakOrigin.ts';
import { openSoakStage, SOAK_START } from './soakStage.ts';
import { createSoakTroubles } from './soakTroubles.ts';
import { type Watched, watchSoak } from './soakViewer.ts';

export type SoakReport = SoakCounts & {
  readonly hours: number;
  /** How often channels began while their origins were in a state. */
  readonly births: Readonly<Record<string, number>>;
  readonly troubles: Readonly<Record<string, number>>;
  readonly breaks: Readonly<Record<string, number>>;
  readonly watched: Watched & { readonly viewers: number };
  /** Times without viewers. */
  readonly idle: number;
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

export async function runLiveSoak({ seed, minutes, heapUsed, onHour }: SoakOptions): Promise<SoakReport> {
  const lines = linesOn();
  const stage = await openSoakStage(seed, lines);
  const { random, sql, clock, origins, onAir, nodes, returns, violations, violated, warnings, watched } = stage;
  const { now, timers } = clock;
  const cpuBefore = process.cpuUsage();
  const troubles = createSoakTroubles(origins, random, now, lines);
  const breaks = createSoakBreaks(origins, random, now);
  const orders = createSoakOrders(sqlBreakOrders(sql), soakChannels, random, now);
  let idle = 0;
  const heap: number[] = [];

  const born = new Map<string, number>();
  const clockSleep = (ms: number) => sleep(timers, ms);

  /** Viewers come and go. With `sticks`, all requests of a viewer go to one node. */
  async function watchPhase(until: number, sticks: boolean): Promise<void> {
    const viewers = watchedKinds.flatMap(({ id, format }) =>
      [0, 1].map(async (place) => {
        const own = pick(random, nodes.all());
        const node = sticks ? () => own : nodes.anyRunning;
        let leavesAt = 0;
        while (now() < until) {
          if (place > 0) await clockSleep(20_000 * random());
          leavesAt = place === 0 ? until : Math.min(until, now() + 20_000 + 240_000 * random());
          watched.viewers += 1;
          await watchSoak({
            ...{ clock, random, channel: id, format, node, watched, storeAwayAt: nodes.storeAwayAt, violated },
            statesLonger: () => troubles.statesLonger(id, format),
            isOver: () => now() >= leavesAt,
          });
        }
      }),
    );
    await Promise.all(viewers);
  }

  /** All channels begin anew, with origins in one of the states that they can be in. */
  async function giveBirth(): Promise<void> {
    const kind = pick(random, Object.keys(births));
    born.set(kind, (born.get(kind) ?? 0) + 1);
    await onAir.renew();
    beginBirth(kind, origins, now, now() + 5000 + 60_000 * random() ** 2);
    await nodes.restartAll();
  }

  async function watchReturns(until: number): Promise<void> {
    const from = now();
    const fineSince = (origin: SoakOrigin) => Math.max(from, nodes.storeAwayAt(), troubles.troubledAt(origin));
    for (; now() < until; await clockSleep(5000))
      for (const each of await returns.check(fineSince)) violated(`${new Date(now()).toISOString()} ${each}`);
  }

  function report(): SoakReport {
    const { user, system } = process.cpuUsage(cpuBefore);
    return {
      hours: (now() - SOAK_START) / 3_600_000,
      ...{ ...nodes.counts(), idle, watched, violations, warnings, heap },
      births: Object.fromEntries([...born].sort()),
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
    await giveBirth();
    for (let phase = 0; now() < endsAt; phase += 1) {
      const until = Math.min(endsAt, now() + 180_000 + 600_000 * random());
      const sticks = phase % 2 === 1;
      const disturb = sticks ? nodes.disturbStore : nodes.disturbProcesses;
      await Promise.all([watchPhase(until, sticks), watchReturns(until), disturb(until)]);
      // What a node has shown during an outage differs from the log, and concerns its viewers only.
      await clockSleep(31_000);
      await nodes.restartAll();
      if (random() < 0.3) {
        idle += 1;
        await clockSleep(120_000);
      }
      if (random() < 0.5) await giveBirth();
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
    await stage.close();
  }
}
