// SPDX-License-Identifier: Apache-2.0
// How many replicas each master has. A batch waits for one of them, unless there is none.

export type ReplicaCount = {
  /** Whether batches wait for a replica: also while the number is not known yet. */
  isProtected(nodes: string): boolean;
  /** Whether the number is to be read again. */
  isDue(nodes: string): boolean;
  set(nodes: string, replicas: number): void;
};

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
export function createReplicaCount(onUnprotected: (masters: number) => void): ReplicaCount {
  const known = new Map<string, { readonly replicas: number; readonly at: number }>();
  let unprotected = 0;
  return {
    isProtected: (nodes) => known.get(nodes)?.replicas !== 0,
    isDue: (nodes) => performance.now() - (known.get(nodes)?.at ?? Number.NEGATIVE_INFINITY) >= READ_INTERVAL_MS,
    set(nodes, replicas) {
      const at = performance.now();
      known.set(nodes, { replicas, at });
      for (const [other, one] of known) if (at - one.at > FORGET_AFTER_MS) known.delete(other);
      const now = [...known.values()].filter((one) => one.replicas === 0).length;
      if (now !== unprotected) onUnprotected(now);
      unprotected = now;
    },
  };
}
