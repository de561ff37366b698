// SPDX-License-Identifier: Apache-2.0
// What goes wrong in the chaos test, at random and one after the other: kills, suspensions, failovers of the stores. A process
// that starts again has another clock.
import { setTimeout as wait } from 'node:timers/promises';
import { between, pick } from '../live/origin/model/syntheticRuns.ts';
import type { PostgresServer } from '../servers/startPostgres.ts';
import type { RedisServer } from '../servers/startRedis.ts';
import type { RedisCluster } from '../servers/startRedisCluster.ts';
import type { ChaosNode, ChaosProcess } from './chaosProcess.ts';

export type Trouble = {
  readonly kind: string;
  /** Of what is disturbed. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  to: number;
};

export type TroubleTargets = {
  readonly nodes: readonly ChaosNode[];
  readonly workers: readonly ChaosProcess[];
  readonly postgres: PostgresServer;
  readonly redis: RedisCluster | undefined;
};

/** Milliseconds that the clock of a process may be ahead or behind. */
export const MOST_SKEW = 400;
export const randomSkew = (random: () => number): number => between(random, -MOST_SKEW, MOST_SKEW);

const STORE_KINDS = ['killPostgres', 'killRedisMaster', 'pauseRedisMaster', 'promoteRedis'];
export const isOfStore = ({ kind }: Trouble): boolean => STORE_KINDS.includes(kind);

export function createTroubles({ nodes, workers, postgres, redis }: TroubleTargets, random: () => number) {
  const log: Trouble[] = [];
  const shuffled = <Value>(values: readonly Value[]): Value[] =>
    values
      .map((value) => ({ value, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ value }) => value);

  async function during(kind: string, name: string, work: () => Promise<void>): Promise<void> {
    const trouble: Trouble = { kind, name, from: Date.now(), to: Number.POSITIVE_INFINITY };
    log.push(trouble);
    await work();
    trouble.to = Date.now();
  }

  async function untilReady({ midroll }: ChaosNode): Promise<void> {
    for (;;) {
      const response = await fetch(`${midroll.adminUrl}/ready`).catch(() => undefined);
      await response?.arrayBuffer();
      if (response?.ok) return;
      await wait(100);
    }
  }
  async function killNode(node: ChaosNode, downFor: number): Promise<void> {
    await during('killNode', node.name, async () => {
      await node.kill();
      await wait(downFor);
      await node.restart(randomSkew(random));
      await untilReady(node);
    });
  }
  const pause = (kind: string, one: ChaosProcess | RedisServer, name: string, ms: number) =>
    during(kind, name, async () => {
      one.suspend();
      await wait(ms);
      one.resume();
    });
  async function master(): Promise<RedisServer> {
    const masters = (await redis!.members()).filter(({ role, hasFailed }) => role === 'master' && !hasFailed);
    return pick(random, masters).server;
  }

  const kinds: Readonly<Record<string, () => Promise<void>>> = {
    killNode: () => killNode(pick(random, nodes), between(random, 0, 6000)),
    async replaceNode() {
      const node = pick(random, nodes);
      await during('replaceNode', node.name, async () => {
        await node.end();
        await node.restart(randomSkew(random));
        await untilReady(node);
      });
    },
    async killTwoNodes() {
      const [one, other] = shuffled(nodes) as [ChaosNode, ChaosNode];
      await Promise.all([killNode(one, between(random, 0, 3000)), killNode(other, between(random, 0, 3000))]);
    },
    pauseNode() {
      const node = pick(random, nodes);
      return pause('pauseNode', node, node.name, between(random, 300, 5000));
    },
    /** Longer than the leases of claims. */
    pauseNodeForLong() {
      const node = pick(random, nodes);
      return pause('pauseNode', node, node.name, between(random, 12_000, 20_000));
    },
    /** Longer than the leases of beacons. */
    pauseNodeForVeryLong() {
      const node = pick(random, nodes);
      return pause('pauseNode', node, node.name, between(random, 32_000, 40_000));
    },
    async killWorker() {
      const worker = pick(random, workers);
      await during('killWorker', worker.name, async () => {
        await worker.kill();
        await wait(between(random, 0, 5000));
        await worker.restart(randomSkew(random));
      });
    },
    /** Longer than the lease of a job. */
    pauseWorker() {
      const worker = pick(random, workers);
      return pause('pauseWorker', worker, worker.name, between(random, 11_000, 14_000));
    },
    killPostgres: () =>
      during('killPostgres', 'PostgreSQL', async () => {
        await postgres.kill();
        await wait(between(random, 0, 2500));
        await postgres.restart();
      }),
    async killRedisMaster() {
      const killed = await master();
      await during('killRedisMaster', `${killed.port}`, async () => {
        await killed.kill();
        await redis!.untilReplaced(killed);
        await killed.restart();
        await redis!.untilHealthy();
      });
    },
    async pauseRedisMaster() {
      const paused = await master();
      await during('pauseRedisMaster', `${paused.port}`, async () => {
        paused.suspend();
        await redis!.untilReplaced(paused);
        paused.resume();
        await redis!.untilHealthy();
      });
    },
    async promoteRedis() {
      const replicas = (await redis!.members()).filter(({ role }) => role === 'replica');
      const { server } = pick(random, replicas);
      await during('promoteRedis', `${server.port}`, () => redis!.promote(server));
    },
  };

  let deck: string[] = [];
  return {
    log: log as readonly Trouble[],
    /** One trouble after the other, with pauses, until `isOver`; each of `names` comes before one is repeated. */
    async run(names: readonly string[], isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        await wait(between(random, 2500, 7000));
        deck = deck.filter((name) => names.includes(name));
        if (deck.length === 0) deck = shuffled(names);
        if (!isOver()) await kinds[deck.pop()!]!();
      }
    },
    /** Troubles that lasted at some time between two instants. */
    between: (from: number, to: number): Trouble[] => log.filter((one) => one.from < to && one.to > from),
  };
}
