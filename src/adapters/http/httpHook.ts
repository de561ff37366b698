// SPDX-License-Identifier: Apache-2.0
// Calls hooks of operators as ad servers are requested: behind the egress guard, within a deadline, with a breaker, so that a hook
// that fails costs nothing after some failures. Signed like webhooks.
import { randomUUID } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { SendHook } from '../../demand/hooks/ports.ts';
import type { Clock } from '../../time/clock.ts';
import { createHttpAdServer } from './httpAdServer.ts';
import { signedHeaders } from './signedHeaders.ts';

/** The largest answer. */
const MAX_BYTES = 256 * 1024;
/** The timeouts of hooks are short, so one that is missed counts as a failure of the hook. */
const FAIR_TIMEOUT_MS = 50;

/** @param guard the dispatcher of createEgressGuard @param limits as those of createHttpAdServer */
export function createHttpHook(
  guard: Dispatcher,
  { now, timers }: Clock,
  limits: { readonly failures?: number; readonly restMs?: number } = {},
): SendHook {
  const server = createHttpAdServer(guard, {
    ...limits,
    timers,
    maxBytes: MAX_BYTES,
    fairTimeoutMs: FAIR_TIMEOUT_MS,
  });
  return async ({ url, secret, body, timeoutMs }) => {
    const signed = secret === undefined ? {} : signedHeaders([{ secret }], { id: `hook_${randomUUID()}`, body }, now());
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'Midroll',
      ...signed,
    };
    const stop = new AbortController();
    let redirect: number | undefined;
    const reply = await server.send(
      { url, method: 'POST', headers, body },
      {
        timeoutMs,
        signal: stop.signal,
        // Before the redirect is followed: what is sent is only for the host that the operator has named.
        onRedirect({ status }) {
          redirect = status;
          stop.abort();
        },
      },
    );
    if (redirect === undefined) return reply;
    const reason = `returned status ${redirect}; redirects are not followed`;
    return { ok: false, status: redirect, ms: reply.ms, reason };
  };
}
