// SPDX-License-Identifier: Apache-2.0
// A load balancer as operators configure them: it requests /ready of each node periodically, sends requests in turn to those
// that were ready at the last check, and never repeats a request. A request that fails is a fault that a player notices.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MidrollProcess } from '../live/midroll.ts';

/** Milliseconds. */
const CHECK_INTERVAL = 250;

export type ReadyBalancer = {
  /** Like `fetch`, for URLs of any of the nodes and others. */
  send(url: string): Promise<Response>;
  isReady(node: MidrollProcess): boolean;
  close(): Promise<void>;
};

export function startReadyBalancer(nodes: readonly MidrollProcess[]): ReadyBalancer {
  let ready: readonly MidrollProcess[] = nodes;
  let turn = 0;
  let isClosed = false;
  const check = async ({ liveUrl }: MidrollProcess): Promise<boolean> => {
    try {
      const response = await fetch(`${liveUrl}/ready`);
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  };
  const checking = (async () => {
    while (!isClosed) {
      const checks = await Promise.all(nodes.map(check));
      ready = nodes.filter((_, index) => checks[index]);
      await sleep(CHECK_INTERVAL);
    }
  })();
  return {
    async send(url) {
      const known = nodes.find(({ liveUrl }) => url.startsWith(`${liveUrl}/`));
      if (known === undefined) return fetch(url);
      if (ready.length === 0) throw new Error('No node is ready.');
      turn += 1;
      return fetch(ready[turn % ready.length]!.liveUrl + url.slice(known.liveUrl.length));
    },
    isReady: (node) => ready.includes(node),
    async close() {
      isClosed = true;
      await checking;
    },
  };
}
