// SPDX-License-Identifier: Apache-2.0
// Runs scripts on the session store. Calls that arrive together are sent together, one batch at a time to each node. A batch ends
// with WAIT: its results count only when a replica has them, so that what was returned survives the loss of a master. A master
// without replicas is used as it is; the store reports it.
import { Cluster } from 'ioredis';
import { AppError } from '../../errors.ts';
import { batchWrites } from '../batchWrites.ts';
import { openRedisClient, type RedisClient } from './openRedisClient.ts';
import { createParts, type Part, type Parts } from './parts.ts';
import { hasNoScript, isMoved, translateRedisFault } from './redisFault.ts';
import { createReplicaCount, readReplicas } from './replicaCount.ts';
import type { Script } from './scripts/createScript.ts';

export type Argument = string | number | Buffer;
/** Replies of scripts: bytes, numbers, lists, or nothing. */
export type Reply = Buffer | number | null | readonly Reply[];

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

type Call = { readonly part: Part; readonly script: Script; readonly args: readonly Argument[] };
type Outcome = { readonly reply: Reply } | { readonly error: unknown };
type RawResult = readonly [error: Error | null, reply: unknown];

/** How long a result waits for a replica. A socket without data is closed later than this (openRedisClient.ts). */
const ACKNOWLEDGE_TIMEOUT_MS = 600;
/** A batch that takes longer has failed, and the next one is sent. */
const BATCH_TIMEOUT_MS = 5000;
const NOT_ACKNOWLEDGED = 'No replica of the session store has confirmed the change. Try again shortly.';

/** The nodes that serve a part: calls to the same ones go into one batch. */
const nodesOf = (client: RedisClient, { slot }: Part): string =>
  client instanceof Cluster ? (client.slots[slot]?.join(';') ?? `slot ${slot}`) : 'server';

async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Command timed out')), ms);
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

export async function openRedisStore(
  url: string,
  installation: string,
  observer: RedisObserver = {},
): Promise<RedisStore> {
  const client = await openRedisClient(url, observer.onError ?? (() => {}));
  const parts = createParts(installation);
  const replicas = createReplicaCount(observer.onUnprotected ?? (() => {}));
  const batches = new Map<string, (call: Call) => Promise<Outcome>>();

  const send = (commands: readonly (readonly Argument[])[]): Promise<readonly RawResult[]> => {
    const pipeline = client.pipeline();
    for (const [name, ...args] of commands) pipeline.callBuffer(String(name), ...args);
    const sent = pipeline.exec() as Promise<readonly RawResult[]>;
    return withTimeout(BATCH_TIMEOUT_MS, sent);
  };
  const evalsha = ({ part, script, args }: Call): Argument[] => ['evalsha', script.sha, 1, part.prefix, ...args];

  /** The node that a call was sent to does not serve it, or does not know the script: the client finds the right one. */
  async function runAlone({ part, script, args }: Call): Promise<RawResult> {
    try {
      return [null, await client.callBuffer('eval', script.text, 1, part.prefix, ...args)];
    } catch (error) {
      return [error as Error, undefined];
    }
  }

  /** @returns undefined if the master does not respond */
  async function countReplicas(nodes: string, part: Part): Promise<number | undefined> {
    const [, info] = await send([
      ['exists', part.prefix],
      ['info', 'replication'],
    ]);
    if (info === undefined || info[0] !== null) return undefined;
    const count = readReplicas(String(info[1]));
    replicas.set(nodes, count);
    return count;
  }

  /** @param waited the reply of WAIT: how many replicas have what this connection has written */
  async function isAcknowledged(nodes: string, part: Part, waited: RawResult | undefined): Promise<boolean> {
    if (waited === undefined || (waited[0] === null && Number(waited[1]) > 0)) return true;
    return waited[0] === null && (await countReplicas(nodes, part)) === 0;
  }

  async function runBatch(nodes: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
    const [{ part }] = calls as [Call, ...Call[]];
    const waits = replicas.isProtected(nodes);
    const looks = replicas.isDue(nodes);
    const results = await send([
      ...calls.map(evalsha),
      ...(waits ? [['wait', 1, ACKNOWLEDGE_TIMEOUT_MS]] : []),
      ...(looks ? [['info', 'replication']] : []),
    ]);
    const own: RawResult[] = results.slice(0, calls.length);
    const info = looks ? results[results.length - 1] : undefined;
    if (info !== undefined && info[0] === null) replicas.set(nodes, readReplicas(String(info[1])));
    let waited = waits ? results[calls.length] : undefined;
    const again = own.flatMap(([error], index) =>
      error !== null && (isMoved(error) || hasNoScript(error)) ? [index] : [],
    );
    if (again.length > 0) {
      for (const index of again) own[index] = await runAlone(calls[index]!);
      // On the connections that have just written.
      const { part: moved } = calls[again[0]!]!;
      if (waits)
        [, waited] = await send([
          ['exists', moved.prefix],
          ['wait', 1, ACKNOWLEDGE_TIMEOUT_MS],
        ]);
    }
    const acknowledged = await isAcknowledged(nodes, part, waited);
    return own.map(([error, reply]): Outcome => {
      if (error !== null) return { error: translateRedisFault(error) };
      return acknowledged ? { reply: reply as Reply } : { error: new AppError('UNAVAILABLE', NOT_ACKNOWLEDGED) };
    });
  }

  async function runObserved(nodes: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
    const from = performance.now();
    const done = (failed: boolean) => observer.onBatch?.({ ms: performance.now() - from, calls: calls.length, failed });
    try {
      const outcomes = await runBatch(nodes, calls);
      done(outcomes.some((outcome) => 'error' in outcome));
      return outcomes;
    } catch (error) {
      done(true);
      throw translateRedisFault(error);
    }
  }

  const batchOf = (nodes: string): ((call: Call) => Promise<Outcome>) => {
    const known = batches.get(nodes);
    if (known !== undefined) return known;
    const created = batchWrites<Call, Outcome>((calls) => runObserved(nodes, calls));
    batches.set(nodes, created);
    return created;
  };

  async function run(part: Part, script: Script, args: readonly Argument[]): Promise<Reply> {
    const outcome = await batchOf(nodesOf(client, part))({ part, script, args });
    if ('error' in outcome) throw outcome.error;
    return outcome.reply;
  }

  /** One part of each master. */
  const partByNodes = () => new Map(parts.all.map((part) => [nodesOf(client, part), part]));

  async function probePart(prefix: string): Promise<void> {
    try {
      await withTimeout(BATCH_TIMEOUT_MS, client.exists(prefix));
    } catch (error) {
      throw translateRedisFault(error);
    }
  }

  await Promise.all([...partByNodes()].map(([nodes, part]) => countReplicas(nodes, part)));
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
