// SPDX-License-Identifier: Apache-2.0
// Sends a beacon: one GET on behalf of a viewer. Classifies the outcome: final, to be retried, or unknown, if the
// server may have counted it. When and how often a beacon is retried is decided in src/tracking.
import { viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import type { CertificateLookup, ExchangeFailure } from '../../ads/request/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { isTransientStatus } from '../../time/transientStatus.ts';
import type { BeaconResult, HostBreaker, SendBeacon } from '../../tracking/beacons/ports.ts';
import { systemTimers } from '../systemClock.ts';
import { createCircuitBreaker } from './circuitBreaker.ts';
import type { EgressGuard } from './egressGuard.ts';
import { explainFailure, failure } from './exchangeFailure.ts';
import { followRedirects, readHttpUrl, withDeadline } from './followRedirects.ts';

/** The URL itself cannot be requested, so a retry would fail too. */
const PERMANENT = new Set<ExchangeFailure['error']>(['badUrl', 'egress', 'redirects']);
/** A redirect that is not followed. */
const ENDS_REDIRECTS = new Set<ExchangeFailure['error']>(['badUrl', 'redirects']);
/** The request may have reached the server. */
const MAY_HAVE_ARRIVED = new Set<ExchangeFailure['error']>(['timeout', 'reset', 'garbage', 'cancelled', 'failed']);

function resultOfFailure({ error, reason, status }: ExchangeFailure): BeaconResult {
  // A tracker that returns "not modified", or a redirect without a location, has counted the beacon.
  if (status !== undefined && status >= 300 && status < 400) return { ok: true, status };
  const isRejected = status !== undefined && !isTransientStatus(status);
  const retry = isRejected || PERMANENT.has(error) ? 'never' : 'later';
  const known = status === undefined ? {} : { status };
  return { ok: false, reason, ...known, retry, isUnsure: MAY_HAVE_ARRIVED.has(error) };
}

/** @param options `certificates`: the client certificates that hosts receive */
export function createHttpBeacon(
  guard: EgressGuard,
  {
    timeoutMs = 5000,
    timers = systemTimers,
    certificates,
  }: { timeoutMs?: number; timers?: Timers; certificates?: CertificateLookup | undefined } = {},
): SendBeacon {
  return ({ url, viewer, tenant }) => {
    let wasSent = false;
    let wasRedirected = false;
    const journey = {
      bodies: { as: 'none' },
      // The server may have counted the first one.
      retriesResets: false,
      onSent: () => {
        wasSent = true;
      },
      onRedirect: () => {
        wasRedirected = true;
      },
      certificateFor: (host: string) => certificates?.(tenant, host),
    } as const;
    const work = async (signal: AbortSignal): Promise<BeaconResult> => {
      const headers = { ...viewerHeaders(viewer), accept: '*/*' };
      const first = { url: readHttpUrl(url), method: 'GET', headers } as const;
      const { status } = (await followRedirects(guard, first, { ...journey, signal })).response;
      if (status < 300) return { ok: true, status };
      const result = resultOfFailure(failure('httpStatus', `returned status ${status}`, status));
      return result.ok ? result : { ...result, isUnsure: wasRedirected || result.isUnsure };
    };
    const failed = (error: unknown): BeaconResult => {
      const why = explainFailure(error);
      const result = resultOfFailure(why);
      if (result.ok || ENDS_REDIRECTS.has(why.error)) return result;
      // A server that redirected the beacon has received it, and a retry would reach it again.
      return { ...result, isUnsure: wasRedirected || (result.isUnsure && wasSent) };
    };
    return withDeadline({ timers, ms: timeoutMs, reason: 'did not respond in time' }, work, failed);
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
