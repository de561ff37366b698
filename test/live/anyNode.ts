// SPDX-License-Identifier: Apache-2.0
// A player behind a load balancer without affinity: each of its requests goes to a random node.
import { setTimeout as sleep } from 'node:timers/promises';
import type { MidrollProcess } from './midroll.ts';

/** Milliseconds until a request is sent to another node, as a proxy does. */
const RESPONSE_TIMEOUT = 3000;
const RETRY = 100;

/** @returns a function like `fetch` that chooses a node for each request to one of them, and another one if it fails */
export function sendToAnyOf(nodes: readonly MidrollProcess[], random: () => number) {
  return async (url: string, init?: RequestInit): Promise<Response> => {
    const known = nodes.find(({ liveUrl }) => url.startsWith(`${liveUrl}/`));
    if (known === undefined) return fetch(url, init);
    const path = url.slice(known.liveUrl.length);
    for (let at = Math.floor(random() * nodes.length); ; at = (at + 1) % nodes.length) {
      try {
        const response = await fetch(nodes[at]!.liveUrl + path, {
          ...init,
          signal: AbortSignal.timeout(RESPONSE_TIMEOUT),
        });
        const body = await response.arrayBuffer();
        // 503: a node that was just started. Other faults are the caller's to judge.
        if (response.status !== 503) return new Response(body, response);
      } catch {
        // The node was killed or suspended.
      }
      await sleep(RETRY);
    }
  };
}
