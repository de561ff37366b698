// SPDX-License-Identifier: Apache-2.0
// Runs a batch of calls on one node and waits until a replica has their results, so that what was returned survives the loss of a
// master. A master without replicas is used as it is.
import { AppError } from '../../errors.ts';
import type { RedisClient } from './openRedisClient.ts';
import type { Part } from './parts.ts';
import { hasNoScript, isDivided, isMoved, translateRedisFault } from './redisFault.ts';
import type { Script } from './scripts/createScript.ts';

export type Argument = string | number | Buffer;
/** Replies of scripts: bytes, numbers, lists, or nothing. */
export type Reply = Buffer | number | null | readonly Reply[];

/** The pairs of a reply that lists names and values in turn. */
export function pairsOf(reply: Reply): (readonly [name: string, value: string])[] {
  const texts = (reply as readonly Reply[]).map(String);
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as const] : []));
}

export type Call = { readonly part: Part; readonly script: Script; readonly args: readonly Argument[] };
export type Outcome = { readonly reply: Reply } | { readonly error: unknown };
type RawResult = readonly [error: Error | null, reply: unknown];
type Command = readonly Argument[];

/** How long a result waits for a replica. A socket without data is closed later than this (openRedisClient.ts). */
const ACKNOWLEDGE_TIMEOUT_MS = 600;
/** A batch that takes longer has failed, and the next one is sent. */
const BATCH_TIMEOUT_MS = 5000;
const NOT_ACKNOWLEDGED = 'No replica of the session store has confirmed the change. Try again shortly.';
const WAIT: Command = ['wait', 1, ACKNOWLEDGE_TIMEOUT_MS];
const INFO: Command = ['info', 'replication'];

export async function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Command timed out')), BATCH_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

const evalsha = ({ part, script, args }: Call): Argument[] => ['evalsha', script.sha, 1, part.prefix, ...args];

/** @param nodesOf the nodes that serve a part */
export function createBatchRunner(
  client: RedisClient,
  replicas: ReturnType<typeof createReplicaCount>,
  nodesOf: (part: Part) => string,
) {
  async function send(commands: readonly Command[]): Promise<readonly RawResult[]> {
    const pipeline = client.pipeline();
    for (const [name, ...args] of commands) pipeline.callBuffer(String(name), ...args);
    try {
      return await withTimeout(pipeline.exec() as Promise<readonly RawResult[]>);
    } catch (error) {
      // Nothing was sent: the slots were distributed anew meanwhile.
      if (isDivided(error as Error)) return commands.map(() => [error as Error, undefined]);
      throw error;
    }
  }

  /** The node that a call was sent to does not serve it, or does not know the script: the client finds the right one. */
  async function runAlone({ part, script, args }: Call): Promise<RawResult> {
    try {
      return [null, await client.callBuffer('eval', script.text, 1, part.prefix, ...args)];
    } catch (error) {
      return [error as Error, undefined];
    }
  }

  function count(nodes: string, info: RawResult | undefined): number | undefined {
    const found = info === undefined || info[0] !== null ? undefined : readReplicas(String(info[1]));
    if (found !== undefined) replicas.set(nodes, found);
    return found;
  }

  /** Reads how many replicas a master has. @returns undefined if that is not known */
  async function countReplicas(nodes: string, part: Part): Promise<number | undefined> {
    const [, info] = await send([['exists', part.prefix], INFO]);
    return count(nodes, info);
  }

  /** @param waited the reply of WAIT: how many replicas have what this connection has written */
  async function isAcknowledged(nodes: string, part: Part, waited: RawResult | undefined): Promise<boolean> {
    if (waited?.[0] !== null) return false;
    return Number(waited[1]) > 0 || (await countReplicas(nodes, part)) === 0;
  }

  /** Waits on the connections that calls were sent to one by one. */
  async function acknowledgeMoved(parts: readonly Part[]): Promise<boolean> {
    const byNodes = new Map(parts.map((part) => [nodesOf(part), part]));
    const acknowledged = await Promise.all(
      [...byNodes].map(async ([nodes, part]) => {
        if (!replicas.isProtected(nodes)) return true;
        const [, waited] = await send([['exists', part.prefix], WAIT]);
        return isAcknowledged(nodes, part, waited);
      }),
    );
    return acknowledged.every(Boolean);
  }

  return {
    countReplicas,
    /** @throws if no result is known */
    async run(nodes: string, calls: readonly Call[]): Promise<readonly Outcome[]> {
      const [{ part }] = calls as [Call, ...Call[]];
      const waits = replicas.isProtected(nodes);
      const looks = replicas.isDue(nodes);
      const results = await send([...calls.map(evalsha), ...(waits ? [WAIT] : []), ...(looks ? [INFO] : [])]);
      const own: RawResult[] = results.slice(0, calls.length);
      if (looks) count(nodes, results.at(-1));
      const moved = calls.flatMap((call, index) => {
        const error = own[index]?.[0] ?? null;
        return error !== null && (isMoved(error) || hasNoScript(error)) ? [{ call, index }] : [];
      });
      const repeated = await withTimeout(Promise.all(moved.map(({ call }) => runAlone(call))));
      for (const [place, { index }] of moved.entries()) {
        const result = repeated[place];
        if (result !== undefined) own[index] = result;
      }
      const isDone = !waits || moved.length === calls.length;
      const acknowledged =
        (isDone || (await isAcknowledged(nodes, part, results[calls.length]))) &&
        (await acknowledgeMoved(moved.map(({ call }) => call.part)));
      return own.map(([error, reply]): Outcome => {
        if (error !== null) return { error: translateRedisFault(error) };
        return acknowledged
          ? { reply: reply as Reply }
          : { error: new AppError('UNAVAILABLE', NOT_ACKNOWLEDGED, { part: 'store' }) };
      });
    },
  };
}

// How many replicas each master has. A batch waits for one of them, unless there is none.

const READ_INTERVAL_MS = 1000;
/** What was not read for this long belongs to nodes that serve nothing any more. */
const FORGET_AFTER_MS = 30_000;

/**
 * @param info of `INFO replication`
 * @returns how many replicas follow the master, without those that still load their data; undefined if the server is not a master
 */
export const readReplicas = (info: string): number | undefined =>
  /^role:master/m.test(info) ? (info.match(/^slave\d+:.*state=online/gm) ?? []).length : undefined;

/** @param onUnprotected called when the number of masters without replicas changes */
export function createReplicaCount(onUnprotected: (masters: number) => void) {
  const known = new Map<string, { readonly replicas: number; readonly at: number }>();
  let unprotected = 0;
  return {
    /** Whether batches wait for a replica: also while the number is not known yet. */
    isProtected: (nodes: string): boolean => known.get(nodes)?.replicas !== 0,
    /** Whether the number is to be read again. */
    isDue: (nodes: string): boolean =>
      performance.now() - (known.get(nodes)?.at ?? Number.NEGATIVE_INFINITY) >= READ_INTERVAL_MS,
    set(nodes: string, replicas: number): void {
      const at = performance.now();
      known.set(nodes, { replicas, at });
      for (const [other, one] of known) if (at - one.at > FORGET_AFTER_MS) known.delete(other);
      const now = [...known.values()].filter((one) => one.replicas === 0).length;
      if (now !== unprotected) onUnprotected(now);
      unprotected = now;
    },
  };
}
