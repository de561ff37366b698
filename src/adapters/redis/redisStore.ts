// SPDX-License-Identifier: Apache-2.0
// Runs scripts on the session store. Calls that arrive together are sent together, one batch at a time to each node. Their results
// count only when a replica has them (runBatch.ts).
import { Cluster } from 'ioredis';
import { AppError } from '../../errors.ts';
import { batchWrites } from '../batchWrites.ts';
import { openRedisClient, type RedisClient } from './openRedisClient.ts';
import { createParts, type Part, type Parts } from './parts.ts';
import { translateRedisFault } from './redisFault.ts';
import {
  type Argument,
  type Call,
  createBatchRunner,
  createReplicaCount,
  type Outcome,
  type Reply,
  withTimeout,
} from './runBatch.ts';
import type { Script } from './scripts/createScript.ts';

export { type Argument, pairsOf, type Reply } from './runBatch.ts';

export type RedisStore = {
  readonly parts: Parts;
  /** @throws {AppError} UNAVAILABLE if the store does not respond, or if no replica has the result */
  run(part: Part, script: Script, args: readonly Argument[]): Promise<Reply>;
  /** Resolves when a master responds. While one fails, the viewers of the others are served as before. */
  probe(): Promise<void>;
  probePart(prefix: string): Promise<void>;
  close(): Promise<void>;
};

export type RedisObserver = {
  /** A batch: how long it took, how many calls it had, and whether it failed. */
  readonly onBatch?: (batch: { readonly ms: number; readonly calls: number; readonly failed: boolean }) => void;
  /** The number of masters without a replica has changed. */
  readonly onUnprotected?: (masters: number) => void;
  readonly onError?: (error: Error) => void;
};

/** Calls to the same nodes that wait for their batch, at most: during an outage, requests must not pile up. */
const MAX_WAITING = 10_000;
const TOO_MANY = 'The session store does not respond in time. Try again shortly.';

/** The nodes that serve a part: calls to the same ones go into one batch. */
const nodesIn = (client: RedisClient, { slot }: Part): string =>
  client instanceof Cluster ? (client.slots[slot]?.join(';') ?? `slot ${slot}`) : 'server';

export async function openRedisStore(
  url: string,
  installation: string,
  observer: RedisObserver = {},
): Promise<RedisStore> {
  const client = await openRedisClient(url, observer.onError ?? (() => {}));
  const parts = createParts(installation);
  const replicas = createReplicaCount(observer.onUnprotected ?? (() => {}));
  const nodesOf = (part: Part) => nodesIn(client, part);
  const batch = createBatchRunner(client, replicas, nodesOf);
  const queues = new Map<string, { waiting: number; add(call: Call): Promise<Outcome> }>();

  async function runObserved(nodes: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
    const from = performance.now();
    const done = (failed: boolean) => observer.onBatch?.({ ms: performance.now() - from, calls: calls.length, failed });
    try {
      const outcomes = await batch.run(nodes, calls);
      done(outcomes.some((outcome) => 'error' in outcome));
      return outcomes;
    } catch (error) {
      done(true);
      throw translateRedisFault(error);
    }
  }

  function queueOf(nodes: string) {
    const known = queues.get(nodes);
    if (known !== undefined) return known;
    const created = { waiting: 0, add: batchWrites<Call, Outcome>((calls) => runObserved(nodes, calls)) };
    queues.set(nodes, created);
    return created;
  }

  async function run(part: Part, script: Script, args: readonly Argument[]): Promise<Reply> {
    const queue = queueOf(nodesOf(part));
    if (queue.waiting >= MAX_WAITING) throw new AppError('UNAVAILABLE', TOO_MANY, { part: 'store' });
    queue.waiting += 1;
    try {
      const outcome = await queue.add({ part, script, args });
      if ('error' in outcome) throw outcome.error;
      return outcome.reply;
    } finally {
      queue.waiting -= 1;
    }
  }

  /** One part of each master. */
  const partByNodes = () => new Map(parts.all.map((part) => [nodesOf(part), part]));

  async function probePart(prefix: string): Promise<void> {
    try {
      await withTimeout(client.exists(prefix));
    } catch (error) {
      throw translateRedisFault(error);
    }
  }

  await Promise.all([...partByNodes()].map(([nodes, part]) => batch.countReplicas(nodes, part)));
  return {
    parts,
    run,
    probePart,
    async probe() {
      const probes = [...partByNodes().values()].map(({ prefix }) => probePart(prefix));
      await Promise.any(probes).catch(({ errors: [first] }: AggregateError) => Promise.reject(first));
    },
    async close() {
      client.disconnect();
    },
  };
}
