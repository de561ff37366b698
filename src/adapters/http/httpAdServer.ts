// SPDX-License-Identifier: Apache-2.0
// Sends ad requests over HTTP and measures them, within limits on time, size and load; and error beacons, without waiting for
// the response. Parsing responses is left to src/vast/read, allowed addresses to egressGuard.ts.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { certificateFor } from '../../ads/request/certificateFor.ts';
import type {
  AdRequest,
  AdRequestLimits,
  AdServer,
  AdServerResponse,
  CertificateLookup,
  FireAndForget,
} from '../../ads/request/ports.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import { systemTimers } from '../systemClock.ts';
import { createCircuitBreaker, type Outcome } from './circuitBreaker.ts';
import { type EgressGuard, fingerprintOf } from './egressGuard.ts';
import { failure } from './exchangeFailure.ts';
import type { HostCertificates } from './followRedirects.ts';
import { createExchange } from './httpExchange.ts';
import { createRestingTags } from './restingTags.ts';

const noUrl = { origin: '', pathname: '', hostname: '' };

/** How much is kept of the body of a response without success: error pages name the cause. */
const FAILURE_BYTES = 16 * 1024;

type Outcomes = { readonly server: Outcome; readonly tag: Outcome };

const tagFailed = (reason: string): Outcomes => ({ server: 'unclear', tag: { failed: reason } });
const serverFailed = (reason: string): Outcomes => ({ server: { failed: reason }, tag: 'unclear' });
const worked: Outcomes = { server: 'worked', tag: 'worked' };
const unclear: Outcomes = { server: 'unclear', tag: 'unclear' };

/**
 * Separate outcomes for the server and for the tag (the URL path): a server has tags of many channels, and one that is
 * misconfigured must not affect the others. A 404 or a page of HTML comes from a working server.
 */
function outcomesOf(response: AdServerResponse, isFair: boolean): Outcomes {
  if (response.ok) return worked;
  switch (response.error) {
    case 'httpStatus':
      return (response.status ?? 0) >= 500 ? tagFailed(response.reason) : worked;
    case 'timeout':
      return isFair ? tagFailed(response.reason) : unclear;
    case 'reset':
    case 'garbage':
      return tagFailed(response.reason);
    case 'noSuchHost':
    case 'unreachable':
    case 'refused':
    case 'tls':
      return serverFailed(response.reason);
    default:
      return unclear;
  }
}

const compress = promisify(gzip);

const encodedBody = async ({ headers, body }: AdRequest): Promise<string | Uint8Array | undefined> =>
  body !== undefined && headers['content-encoding'] === 'gzip' ? compress(body) : body;

/** The certificate of a request precedes those of its tenant. */
function certificatesOf({ clientCertificate, tenant }: AdRequestLimits, lookUp: CertificateLookup): HostCertificates {
  const own = clientCertificate === undefined ? [] : [{ clientCertificate }];
  return (host) => certificateFor(own, host) ?? (tenant === undefined ? undefined : lookUp(tenant, host));
}

const noCertificates: CertificateLookup = () => undefined;

export function createHttpAdServer(
  guard: EgressGuard,
  {
    /** The largest decoded response. */
    maxBytes: most = 2 ** 21,
    /** Requests to one host at once; `queue` more may wait, within their own deadline. */
    perHost = 256,
    queue = 4_096,
    /** The number of failures in a row after which a server, or one of its tags, gets no requests for `restMs`. */
    failures = 5,
    // Random, so that processes do not probe at the same time.
    restMs = 3_000 + Math.random() * 1_500,
    /** A shorter timeout is no evidence that the server has failed. */
    fairTimeoutMs = 500,
    timers = systemTimers,
    /** The time of day, for dates in `Retry-After`. */
    now = () => Date.now(),
    /** Client certificates of other hosts than that of a request. */
    certificates = noCertificates,
  } = {},
): AdServer {
  const exchange = createExchange(guard, { concurrency: perHost, queue }, timers);
  const breaker = createCircuitBreaker({ failures, restMs, now: timers.elapsed });
  const resting = createRestingTags({ elapsed: timers.elapsed, now });

  /** The reason why no request may be sent to the server or for the tag now. */
  function refusalOf(server: string, tag: string): string | undefined {
    const refusal = breaker.refusal(server);
    if (refusal !== undefined) return refusal;
    const ofTag = breaker.refusal(tag);
    if (ofTag !== undefined) breaker.report(server, 'unclear');
    return ofTag;
  }

  return {
    async send(request, limits) {
      const { timeoutMs, maxBytes = most, signal, onRedirect } = limits;
      const started = timers.elapsed();
      const measured = () => Math.round(timers.elapsed() - started);
      const { origin, pathname, hostname } = URL.canParse(request.url) ? new URL(request.url) : noUrl;
      const certificateFor = certificatesOf(limits, certificates);
      // A server that rejects the certificate of one tenant accepts those of others.
      const pair = certificateFor(hostname);
      const server = pair === undefined ? origin : `${fingerprintOf(pair)} ${origin}`;
      const tag = server + pathname;
      const rest = resting.refusal(tag);
      if (rest !== undefined) return { ...failure('resting', rest.reason), ms: 0, restsMs: rest.restsMs };
      const refusal = refusalOf(server, tag);
      if (refusal !== undefined) return { ...failure('resting', refusal), ms: 0 };

      const pieces: Uint8Array[] = [];
      const body = await encodedBody(request);
      const wanted = { ...request, body, maxBytes, timeoutMs, signal, onRedirect, certificateFor };
      const result = await exchange({ ...wanted, isCollected: true, failureBytes: FAILURE_BYTES }, (piece) => {
        pieces.push(piece);
        return false;
      });
      const response: AdServerResponse = result.ok
        ? {
            ok: true,
            url: result.url,
            status: result.status,
            ms: measured(),
            contentType: result.contentType,
            bytes: joinBytes(pieces),
          }
        : { ...result, ms: measured() };
      const outcomes = outcomesOf(response, timeoutMs >= fairTimeoutMs);
      breaker.report(server, outcomes.server);
      breaker.report(tag, outcomes.tag);
      return response.ok ? response : resting.report(tag, response);
    },
  };
}

/**
 * Sends error beacons. They are optional: they must not delay a viewer or fill memory, so excess ones are dropped. Beacons that
 * must arrive go through the ledger of src/tracking.
 * @param limits `concurrency`: sent to one host at once. Beyond `concurrency + queue` in total, requests are dropped
 */
export function createFireAndForget(
  guard: EgressGuard,
  { concurrency = 16, queue = 500, timers = systemTimers, certificates = noCertificates } = {},
): FireAndForget {
  const exchange = createExchange(guard, { concurrency, queue }, timers);
  let underWay = 0;
  return (url, headers = {}, tenant) => {
    if (underWay >= concurrency + queue) return;
    underWay += 1;
    const certificateFor = tenant === undefined ? undefined : (host: string) => certificates(tenant, host);
    void exchange({ url, headers, maxBytes: 64 * 1024, timeoutMs: 3000, certificateFor }, () => false).finally(() => {
      underWay -= 1;
    });
  };
}
