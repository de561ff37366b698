// SPDX-License-Identifier: Apache-2.0
// Sends a beacon: one GET on behalf of a viewer. Classifies the outcome: final, to be retried, or unknown, if the
// server may have counted it. When and how often a beacon is retried is decided in src/tracking.
import type { Dispatcher } from 'undici';
import { viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { isTransientStatus } from '../../time/transientStatus.ts';
import type { BeaconResult, HostBreaker, SendBeacon } from '../../tracking/beacons/ports.ts';
import { systemTimers } from '../systemClock.ts';
import { createCircuitBreaker } from './circuitBreaker.ts';
import { type ExchangeFailure, ExchangeStopped, explainFailure, failure } from './exchangeFailure.ts';
import { MAX_REDIRECTS, REDIRECTS, readHttpUrl } from './followRedirects.ts';

const TIMEOUT_MS = 5000;

/** The URL itself cannot be requested, so a retry would fail too. */
const PERMANENT = new Set<ExchangeFailure['error']>(['badUrl', 'egress', 'redirects']);
/** The request may have reached the server. */
const MAY_HAVE_ARRIVED = new Set<ExchangeFailure['error']>(['timeout', 'reset', 'garbage', 'cancelled', 'failed']);

export function resultOfFailure({ error, reason, status }: ExchangeFailure): BeaconResult {
  // A tracker that returns "not modified", or a redirect without a location, has counted the beacon.
  if (status !== undefined && status >= 300 && status < 400) return { ok: true, status };
  const isRejected = status !== undefined && !isTransientStatus(status);
  return {
    ok: false,
    reason,
    ...(status === undefined ? {} : { status }),
    retry: isRejected || PERMANENT.has(error) ? 'never' : 'later',
    isUnsure: MAY_HAVE_ARRIVED.has(error),
  };
}

/** @param wasRedirected a server that redirected the beacon has received it, and a retry would reach it again */
function resultOf(head: HeadResponse, wasRedirected: boolean): BeaconResult {
  if (head.ok && head.status < 300) return { ok: true, status: head.status };
  const result = resultOfFailure(head.ok ? failure('httpStatus', `returned status ${head.status}`, head.status) : head);
  if (result.ok) return result;
  const isUnsure = wasRedirected || (result.isUnsure && (head.ok || head.wasSent));
  return { ...result, isUnsure };
}

/** @param guard the dispatcher of createEgressGuard */
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
        const head = await requestHead(guard, target, headers, until - timers.elapsed(), timers);
        if (!head.ok || !REDIRECTS.has(head.status) || head.location === '') return resultOf(head, redirects > 0);
        if (redirects === MAX_REDIRECTS) {
          return resultOfFailure(failure('redirects', `redirected more than ${MAX_REDIRECTS} times`));
        }
        target = readHttpUrl(head.location, target);
      }
    } catch (error) {
      return resultOfFailure(explainFailure(error));
    }
  };
}

export function createHostBreaker(limits: { failures?: number; restMs?: number; timers?: Timers } = {}): HostBreaker {
  // Random, so that processes do not probe at the same time.
  const { failures = 10, restMs = 3_000 + Math.random() * 1_500, timers = systemTimers } = limits;
  const breaker = createCircuitBreaker({ failures, restMs, now: timers.elapsed });
  return {
    maySend: (host) => breaker.refusal(host) === undefined,
    report: (host, outcome) => breaker.report(host, outcome === 'failed' ? { failed: 'failed' } : outcome),
  };
}

// Sends one GET and returns the head of the response. The body is read to its end without buffering, so that the
// connection can be reused; a long or slow body is cut off. Failures are returned as values (exchangeFailure.ts).

type HeadResponse =
  | { readonly ok: true; readonly status: number; readonly location: string }
  /** `wasSent`: the request was sent, so the server may have received it. */
  | (ExchangeFailure & { readonly wasSent: boolean });

/** Of the body. */
const MAX_BYTES = 64 * 1024;
const MAX_BODY_MS = 100;

const bodyCutOff = (): Error => new ExchangeStopped('cancelled', 'sent a body that is not needed');

class HeadHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: HeadResponse) => void;
  #timer: Timer | undefined;
  readonly #timers: Timers;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #bytes = 0;

  constructor(timers: Timers, timeoutMs: number, resolve: (response: HeadResponse) => void) {
    this.#resolve = resolve;
    this.#timers = timers;
    // A response that arrived while this process was busy is read first: the server was not late.
    this.#timer = timers.after(timeoutMs, () => setImmediate(() => this.#onTimeout()));
  }

  #settle(response: HeadResponse): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#timer?.cancel();
    this.#resolve(response);
  }

  #onTimeout(): void {
    if (this.#isSettled) return;
    const reason = new ExchangeStopped('timeout', 'did not respond in time');
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request timed out before there was a connection.
    if (this.#isSettled) controller.abort(bodyCutOff());
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200 || this.#isSettled) return;
    const { location } = headers;
    this.#settle({ ok: true, status, location: typeof location === 'string' ? location.trim() : '' });
    this.#timer = this.#timers.after(MAX_BODY_MS, () => controller.abort(bodyCutOff()));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BYTES) controller.abort(bodyCutOff());
  }

  onResponseEnd(): void {
    this.#timer?.cancel();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#timer?.cancel();
    this.#settle({ ...explainFailure(error), wasSent: this.#controller !== undefined });
  }
}

/** @param dispatcher checks every connection: the egress guard */
function requestHead(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
  timers: Timers,
): Promise<HeadResponse> {
  return new Promise((resolve) => {
    const handler = new HeadHandler(timers, timeoutMs, resolve);
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    try {
      dispatcher.dispatch({ origin, path: pathname + search, method: 'GET', headers, ...timeouts }, handler);
    } catch (error) {
      // `dispatch` throws for requests that it cannot send, e.g. with invalid headers.
      handler.onResponseError(undefined, error as Error);
    }
  });
}
