// SPDX-License-Identifier: Apache-2.0
// Requests of one follower at the load balancer, from an address of its own, as a player sends them: with a timeout, and again
// after an error.
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';

export type Reply = {
  readonly status: number;
  readonly text: string;
  /** Milliseconds since 1970. The response was written in between. */
  readonly requestedAt: number;
  readonly receivedAt: number;
};

export type RequestCounts = {
  requests: number;
  /** Responses 429 and 5xx, by status and message; those of the load balancer have no message. */
  readonly refused: Record<string, number>;
  /** No response. */
  lost: number;
  /** Milliseconds until a request that had failed at first had a response. */
  longestRetry: number;
};

export type BalancedClient = {
  /** One attempt. @returns undefined without a response, and for 429 and 5xx */
  send(path: string): Promise<Reply | undefined>;
  /** Repeats the request until there is a response, or `isOver` returns true. */
  persist(path: string, isOver: () => boolean): Promise<Reply | undefined>;
  close(): Promise<void>;
};

/** Milliseconds after which a player gives up a request. */
const REQUEST_TIMEOUT = 12_000;
const RETRY = 700;

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { readonly message: string }).message;
  } catch {
    return 'of the load balancer';
  }
}

/**
 * @param balancer the load balancer of the moment. Its certificate is another one after it was replaced
 * @param number of the follower, which gives it its address
 */
export function createClient(
  balancer: () => { readonly httpsPort: number },
  number: number,
  counts: RequestCounts,
): BalancedClient {
  const agent = new Agent({
    localAddress: `127.1.${Math.floor(number / 250)}.${1 + (number % 250)}`,
    connect: { rejectUnauthorized: false, lookup: (_, __, found) => found(null, '127.0.0.1', 4) },
    headersTimeout: REQUEST_TIMEOUT,
    bodyTimeout: REQUEST_TIMEOUT,
  });

  async function send(path: string): Promise<Reply | undefined> {
    counts.requests += 1;
    const requestedAt = Date.now();
    try {
      const url = `https://live.example.com:${balancer().httpsPort}${path}`;
      const { statusCode: status, body } = await request(url, { dispatcher: agent });
      const text = await body.text();
      if (status < 500 && status !== 429) return { status, text, requestedAt, receivedAt: Date.now() };
      const cause = `${status} ${messageOf(text)}`;
      counts.refused[cause] = (counts.refused[cause] ?? 0) + 1;
    } catch {
      counts.lost += 1;
    }
    return undefined;
  }

  return {
    send,
    async persist(path, isOver) {
      const from = Date.now();
      for (let tries = 0; !isOver(); tries += 1) {
        const reply = await send(path);
        if (reply !== undefined) {
          if (tries > 0) counts.longestRetry = Math.max(counts.longestRetry, Date.now() - from);
          return reply;
        }
        await wait(RETRY);
      }
      return undefined;
    },
    close: () => agent.destroy(),
  };
}
