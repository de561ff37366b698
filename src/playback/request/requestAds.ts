// SPDX-License-Identifier: Apache-2.0
// Requests the ads of one break: the request itself and the wrappers in its response, within one deadline. Every failure is
// returned as an outcome with a reason. Creatives, lengths and manifests are handled elsewhere.
import { randomInt, randomUUID } from 'node:crypto';
import type { AdRequestOutcome, NoAdsReason, ResolvedAd } from '../../ads/record/adRequestOutcome.ts';
import type { TracedRequest } from '../../ads/record/breakRecord.ts';
import { type AdSourceSettings, buildAdRequest, viewerHeaders } from '../../ads/request/buildAdRequest.ts';
import { maskSecrets, maskUrl, secretsOf } from '../../ads/request/maskSecrets.ts';
import type { AdResponseReader, AdServer, AdServerResponse } from '../../ads/request/ports.ts';
import type { AdRequestBreak, AdRequestSession } from '../../ads/request/requestVariables.ts';
import type { Clock } from '../../time/clock.ts';
import { fillMacros, type MacroValues } from '../../vast/macros.ts';
import { limitAd, nameOfAd } from '../../vast/read/limitAd.ts';
import { MAX_ADS_PER_RESPONSE } from '../../vast/read/limitResponse.ts';
import { resolveDocument } from './resolveDocument.ts';
import type { FoundAd, Resolution, WrapperFetcher } from './resolveWrappers.ts';

export type AdRequestContext = {
  readonly source: AdSourceSettings & { readonly timeoutMs?: number };
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
};

/** The timeout of an ad source that sets none. */
export const DEFAULT_TIMEOUT_MS = 2_000;
/** Wrapper requests of one break, in parallel and in a row. */
const MAX_WRAPPER_REQUESTS = 30;
/** Bytes of one wrapper response, and of all wrapper responses of a break, which may be in memory at once. */
const MAX_WRAPPED_BYTES = 512 * 1024;
const MAX_WRAPPED_BYTES_PER_BREAK = 4 * 2 ** 20;
const MAX_WARNINGS = 200;
/** Dropped ads listed in the trace. */
const MAX_DROPPED = 200;

export async function requestAds(
  { source, session, adBreak }: AdRequestContext,
  adServer: AdServer,
  reader: AdResponseReader,
  { now, timers }: Clock,
): Promise<AdRequestOutcome> {
  const timeoutMs = source.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = timers.elapsed() + timeoutMs;
  const timeLeft = () => deadline - timers.elapsed();
  const cacheBuster = String(randomInt(10_000_000, 100_000_000));
  const at = { now: now(), transactionId: randomUUID(), cacheBuster };
  const { request, maskedUrl, variables } = buildAdRequest(source, session, adBreak, at);
  const received = await adServer.send(request, { timeoutMs });
  const traced = traceRequest(received, maskedUrl);
  if (!received.ok) return withoutAds(traced, failureOf(received.error, traced.error!));
  if (received.bytes.length === 0) {
    return withoutAds(traced, {
      code: 'NO_ADS',
      text: `The ad server returned an empty response (HTTP ${received.status}).`,
    });
  }
  const { document, raw: start } = await reader.read(received);
  const raw = maskSecrets(start, secretsOf(request.url));
  const wrappers: TracedRequest[] = [];
  const fetchWrapper = wrapperFetcher(timeLeft, { adServer, reader }, session, variables, (one) => wrappers.push(one));
  const resolved = await resolveDocument(document, fetchWrapper);
  const response = { version: 'version' in resolved ? resolved.version : '', bytes: received.bytes.length, raw };
  if ('reason' in resolved) {
    // The reason may quote the response, which may repeat the request.
    const text = maskSecrets(resolved.reason, secretsOf(request.url));
    return withoutAds(traced, { code: 'VAST_UNREADABLE', text }, response);
  }
  return {
    ...outcomeOf(traced, response, resolved.resolution, reader.maxUrls),
    ...(wrappers.length > 0 ? { wrappers } : {}),
    variables,
  };
}

const traceRequest = (received: AdServerResponse, url: string, server = 'The ad server'): TracedRequest => ({
  url,
  ...(received.status === undefined ? {} : { status: received.status }),
  ms: received.ms,
  ...(received.ok ? {} : { error: `${server} ${received.reason}.` }),
});

const failureOf = (error: string, text: string): NoAdsReason => ({
  code:
    error === 'timeout'
      ? 'AD_SERVER_TIMEOUT'
      : error === 'busy' || error === 'resting'
        ? 'AD_SERVER_NOT_ASKED'
        : 'AD_SERVER_FAILED',
  text,
});

function withoutAds(
  request: AdRequestOutcome['request'],
  reason: NoAdsReason,
  response?: AdRequestOutcome['response'],
): AdRequestOutcome {
  return { request, ...(response ? { response } : {}), warnings: [], ads: [], dropped: [], errors: [], reason };
}

/** Sends the requests of wrappers for the same viewer, within the time left of the break's deadline. */
function wrapperFetcher(
  timeLeft: () => number,
  { adServer, reader }: { readonly adServer: AdServer; readonly reader: AdResponseReader },
  session: AdRequestSession,
  variables: MacroValues,
  trace: (request: TracedRequest) => void,
): WrapperFetcher {
  const headers = viewerHeaders(session.viewer);
  let requests = 0;
  let bytes = 0;
  return async (tagUrl) => {
    const timeoutMs = Math.floor(timeLeft());
    if (timeoutMs < 1) {
      return { ok: false, error: 'timeout', reason: 'was not contacted, because the request had timed out', ms: 0 };
    }
    requests += 1;
    if (requests > MAX_WRAPPER_REQUESTS) return 'limitReached';
    const url = fillMacros(tagUrl, variables);
    const limits = { timeoutMs, maxBytes: MAX_WRAPPED_BYTES };
    const received = await adServer.send({ url, method: 'GET', headers }, limits);
    trace(traceRequest(received, maskUrl(url), 'The server'));
    if (!received.ok) return received;
    bytes += received.bytes.length;
    if (bytes > MAX_WRAPPED_BYTES_PER_BREAK) return 'limitReached';
    if (received.bytes.length === 0) return 'empty';
    const { document } = await reader.read(received);
    // The reason may quote the response, which may repeat the request.
    return 'reason' in document ? { ...document, reason: maskSecrets(document.reason, secretsOf(url)) } : document;
  };
}

function outcomeOf(
  request: AdRequestOutcome['request'],
  response: AdRequestOutcome['response'] & {},
  resolution: Resolution,
  maxUrls: number,
): AdRequestOutcome {
  const { errors, found } = resolution;
  const notes: string[] = [];
  const ads = inPlayingOrder(found)
    .slice(0, MAX_ADS_PER_RESPONSE)
    .map((one) => ({ ...one, ad: limitAd(one.ad, maxUrls, nameOfAd(one.ad), (text) => notes.push(text)) }));
  const dropped = resolution.dropped.slice(0, MAX_DROPPED);
  const tooMany =
    found.length > MAX_ADS_PER_RESPONSE
      ? [`the response contains ${found.length} ads; only the first ${MAX_ADS_PER_RESPONSE} are used`]
      : [];
  const warnings = [...tooMany, ...notes, ...resolution.warnings].slice(0, MAX_WARNINGS);
  const outcome = { request, response, warnings, ads, dropped, errors };
  return ads.length > 0 ? outcome : { ...outcome, reason: noAdsReason(resolution, response.version) };
}

/** The pod first. It is renumbered, because wrappers may have contributed pods of their own. */
function inPlayingOrder(found: readonly FoundAd[]): ResolvedAd[] {
  const pod = found
    .filter(({ isPod }) => isPod)
    .map(({ isPod: _, ...one }, index) => ({ ...one, sequence: index + 1 }));
  return [...pod, ...found.filter(({ isPod }) => !isPod).map(({ isPod: _, ...one }) => one)];
}

function noAdsReason({ dropped }: Resolution, version: string): NoAdsReason {
  const first = dropped[0];
  if (!first) {
    const what = version.startsWith('VMAP') ? 'VMAP without ads in its linear breaks' : 'VAST without ads';
    return { code: 'NO_ADS', text: `The ad server returned ${what}.` };
  }
  const text =
    dropped.length === 1
      ? `The only ad in the response was dropped: ${first.skip.text}`
      : `All ${dropped.length} ads in the response were dropped. The first: ${first.skip.text}`;
  return { code: 'NO_AD_SHOWN', text };
}
