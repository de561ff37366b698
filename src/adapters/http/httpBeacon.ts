// Sends a beacon: one GET on behalf of a viewer, of which only the status counts. It knows which answers are final and
// after which the server may have counted all the same; how often and when it is tried is the sender's to know.
import type { Dispatcher } from 'undici';
import { viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import type { Timers } from '../../time/clock.ts';
import type { BeaconAnswer, HostBreaker, SendBeacon } from '../../tracking/ports.ts';
import { systemTimers } from '../systemClock.ts';
import { askHead, type HeadAnswer } from './askHead.ts';
import { createCircuitBreaker } from './circuitBreaker.ts';
import { type ExchangeFailure, explainFailure, failure } from './exchangeFailure.ts';
import { MAX_REDIRECTS, REDIRECTS, readHttpUrl } from './httpExchange.ts';

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

/** @param hasCounted whether somebody has redirected it, who will be asked again with it */
function answerTo(head: HeadAnswer, hasCounted: boolean): BeaconAnswer {
  if (head.ok && head.status < 300) return { ok: true, status: head.status };
  const answer = answerOf(head.ok ? failure('httpStatus', `answered ${head.status}`, head.status) : head);
  if (answer.ok) return answer;
  // Nobody can have counted what nobody was asked.
  const isUnsure = hasCounted || (answer.isUnsure && (head.ok || head.wasAsked));
  return { ...answer, isUnsure };
}

/** @param guard the dispatcher that createEgressGuard made */
export function createHttpBeacon(
  guard: Dispatcher,
  { timeoutMs = TIMEOUT_MS, timers = systemTimers } = {},
): SendBeacon {
  return async ({ url, viewer }) => {
    const headers = { ...viewerHeaders(viewer), accept: '*/*' };
    const until = timers.elapsed() + timeoutMs;
    try {
      let target = readHttpUrl(url);
      for (let redirects = 0; ; redirects += 1) {
        const head = await askHead(guard, target, headers, until - timers.elapsed(), timers);
        if (!head.ok || !REDIRECTS.has(head.status) || head.location === '') return answerTo(head, redirects > 0);
        if (redirects === MAX_REDIRECTS) {
          return answerOf(failure('redirects', `redirected more than ${MAX_REDIRECTS} times`));
        }
        target = readHttpUrl(head.location, target);
      }
    } catch (error) {
      return answerOf(explainFailure(error));
    }
  };
}

export function createHostBreaker(limits: { failures?: number; restMs?: number; timers?: Timers } = {}): HostBreaker {
  // Processes that turned away together do not come back together.
  const { failures = 10, restMs = 3_000 + Math.random() * 1_500, timers = systemTimers } = limits;
  const breaker = createCircuitBreaker({ failures, restMs, now: timers.elapsed });
  return {
    mayAsk: (host) => breaker.refusal(host) === undefined,
    report: (host, outcome) => breaker.report(host, outcome === 'failed' ? { failed: 'failed' } : outcome),
  };
}
