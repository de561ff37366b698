// Sends a beacon: one GET on behalf of a viewer, of which only the status counts. It knows which answers are final and
// after which the server may have counted all the same; how often and when it is tried is the sender's to know.
import type { Dispatcher } from 'undici';
import { viewerHeaders } from '../ads/request.ts';
import type { BeaconAnswer, HostBreaker, SendBeacon } from '../tracking/ports.ts';
import { createCircuitBreaker } from './circuitBreaker.ts';
import type { ExchangeFailure } from './exchangeFailure.ts';
import { createExchange } from './httpExchange.ts';

const TIMEOUT_MS = 5000;

/** Nothing was sent, and nothing will be: the address itself is wrong. */
const HOPELESS = new Set<ExchangeFailure['error']>(['badUrl', 'egress', 'redirects']);
/** The connection was there and the question on its way. */
const UNSURE = new Set<ExchangeFailure['error']>(['timeout', 'reset', 'garbage', 'cancelled', 'failed']);

export function answerOf({ error, reason, status }: ExchangeFailure): BeaconAnswer {
  // A tracker that answers "not modified", or redirects to nowhere, has counted.
  if (status !== undefined && status >= 300 && status < 400) return { ok: true, status };
  const isRefused = status !== undefined && status < 500;
  return {
    ok: false,
    reason,
    ...(status === undefined ? {} : { status }),
    again: isRefused || HOPELESS.has(error) ? 'never' : 'later',
    isUnsure: UNSURE.has(error),
  };
}

/** @param guard the dispatcher that createEgressGuard made */
export function createHttpBeacon(guard: Dispatcher, { timeoutMs = TIMEOUT_MS } = {}): SendBeacon {
  // How many go to a host at once is the sender's to say: it knows which are due.
  const exchange = createExchange(guard, { concurrency: 10_000, queue: 0 });
  return async ({ url, viewer }) => {
    const headers = { ...viewerHeaders(viewer), accept: '*/*' };
    const result = await exchange({ url, headers, maxBytes: 0, timeoutMs, isCounted: true }, () => true);
    return result.ok ? { ok: true, status: result.status } : answerOf(result);
  };
}

export function createHostBreaker(limits: { failures?: number; restMs?: number } = {}): HostBreaker {
  // Processes that turned away together do not come back together.
  const { failures = 10, restMs = 3_000 + Math.random() * 1_500 } = limits;
  const breaker = createCircuitBreaker({ failures, restMs });
  return {
    mayAsk: (host) => breaker.refusal(host) === undefined,
    report: (host, outcome) => breaker.report(host, outcome === 'failed' ? { failed: 'failed' } : outcome),
  };
}
