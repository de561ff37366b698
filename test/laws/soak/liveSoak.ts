// SPDX-License-Identifier: Apache-2.0
// Hours of live channels in virtual time: three nodes on one database, origins and markers in random trouble, viewers whose requests
// go to any node. Nodes are suspended, killed and started again; the database becomes unavailable.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlBreakOrders } from '../../../src/adapters/sql/channels/sqlBreakOrders.ts';
import { openSqlite } from '../../../src/adapters/sql/sql.ts';
import { sleep } from '../../../src/time/clock.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import { seededRandom } from '../../seededRandom.ts';
import { createManualClock } from '../manualClock.ts';
import { seedIds } from './seededIds.ts';
import { createSoakBreaks } from './soakBreaks.ts';
import { putOnAir, soakChannels, watchedKinds } from './soakChannels.ts';
import { createSoakNodes, type SoakCounts } from './soakNodes.ts';
import { createSoakOrders } from './soakOrders.ts';
import { createSoakOrigin, type SoakOrigin } from './soakOrigin.ts';
import { createSoakReturns } from './soakReturns.ts';
import { createSoakTroubles } from './soakTroubles.ts';
import { type Watched, watchSoak } from './soakViewer.ts';

const START = Date.parse('2026-03-01T06:00:00.000Z');
export type SoakReport = SoakCounts & {
  readonly hours: number;
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
  const { ladders, feeds } = await putOnAir(sql, origins, now);
  const returns = createSoakReturns(sql, feeds);
  const troubles = createSoakTroubles(origins, random, now);
  const breaks = createSoakBreaks(origins, random, now);
  const orders = createSoakOrders(sqlBreakOrders(sql), soakChannels, random, now);
  let idle = 0;
  const violations: string[] = [];
  const warnings: Record<string, number> = {};
  const watched: Watched & { viewers: number } = {
    ...{ viewers: 0, polls: 0, refused: 0, lost: 0, segments: 0, slateMs: 0, adMs: 0, longestStill: 0 },
  };
  const heap: number[] = [];

  function warn(message: string, { error, reason }: Record<string, unknown>): void {
    const text = `${message}: ${String(reason ?? error).replace(/\d+/g, 'N')}`;
    warnings[text] = (warnings[text] ?? 0) + 1;
    const isBug = error instanceof TypeError || error instanceof RangeError || /assert/i.test((error as Error)?.name);
    if (isBug) violated(`${message}: ${(error as Error).stack}`);
  }
  function violated(message: string): void {
    if (violations.length < 20) violations.push(message);
  }
  const nodes = createSoakNodes({ sql, clock, random, origins, ladders, folder, warn });
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
            isOver: () => now() >= leavesAt,
          });
        }
      }),
    );
    await Promise.all(viewers);
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
      hours: (now() - START) / 3_600_000,
      ...{ ...nodes.counts(), idle, watched, violations, warnings, heap },
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
    await nodes.restartAll();
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
    nodes.killAll();
    restoreIds();
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
