// SPDX-License-Identifier: Apache-2.0
// Requests the ads of one break: the request itself and the wrappers in its response, within one deadline. Every failure is
// returned as an outcome with a reason. Creatives, lengths and manifests are handled elsewhere.
import { randomInt, randomUUID } from 'node:crypto';
import type { BreakOutcome, NoAdsReason, ServerOutcome } from '../../ads/record/breakRecord.ts';
import {
  type AdServerSettings,
  type BuiltRequest,
  buildAdRequest,
  templateWarnings,
} from '../../ads/request/buildAdRequest.ts';
import { presentedBy } from '../../ads/request/certificateFor.ts';
import { maskSecrets, secretsOfRequest } from '../../ads/request/maskSecrets.ts';
import type { AdResponseReader, AdServer, AdServerResponse, HostsKeyPair } from '../../ads/request/ports.ts';
import type { AdRequestBreak, AdRequestSession, AdRequestStamp } from '../../ads/request/requestVariables.ts';
import type { Clock } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { ParsedAdResponse } from '../../vast/read/readAdResponse.ts';
import { breakOutcome, resolveDocument } from './breakOutcome.ts';
import { createWrapperFetcher, failedText, traceRequest, type WrapperDeps } from './wrapperFetcher.ts';

export type AdRequestContext = {
  readonly source: AdServerSettings & { readonly timeoutMs?: number; readonly clientCertificate?: HostsKeyPair };
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
  /** Changes a request before it is sent, or returns why it is not sent. `timeLeft`: milliseconds until the deadline. */
  readonly change?: (built: BuiltRequest, timeLeft: number) => Promise<BuiltRequest | NoAdsReason>;
  /** Called if the source accepts no requests for so many milliseconds. */
  readonly onRest?: (ms: number) => void;
};

/** What macros of one request have in common. */
export function momentOf(now: Millis): AdRequestStamp {
  const [transactionId, cacheBuster] = [randomUUID(), String(randomInt(10_000_000, 100_000_000))];
  return { now, transactionId: () => transactionId, cacheBuster: () => cacheBuster };
}

/** The timeout of an ad source that sets none. */
export const DEFAULT_TIMEOUT_MS = 2_000;

/** Why no ads are requested without an ad server. */
export const NO_AD_SERVER = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so no ads were requested.' };

/** A response that arrived: what it contains, and what its ads are resolved with. */
export type ReceivedDocument = WrapperDeps & {
  readonly document: ParsedAdResponse['document'];
  /** For the trace. */
  readonly request: ServerOutcome['request'];
  readonly response: Omit<ServerOutcome['response'] & {}, 'version'>;
  /** Secrets of the request, which the response may repeat. */
  readonly secrets: readonly string[];
};

/** @returns the response, or an outcome without ads if there is none */
export async function requestDocument(
  { source, session, adBreak, change = async (same) => same, onRest }: AdRequestContext,
  adServer: AdServer,
  reader: AdResponseReader,
  { now, timers }: Clock,
): Promise<ReceivedDocument | ServerOutcome> {
  const timeoutMs = source.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = timers.elapsed() + timeoutMs;
  const timeLeft = () => deadline - timers.elapsed();
  const own = buildAdRequest(source, session, adBreak, momentOf(now()));
  const built = await change(own, timeoutMs);
  if ('code' in built) return withoutAds({ url: own.maskedUrl, ms: 0 }, built);
  const { request, maskedUrl, traced: parts, variables } = built;
  const limits = { timeoutMs: Math.max(1, Math.ceil(timeLeft())), ...presentedBy(source, session) };
  const received = await adServer.send(request, limits);
  if (!received.ok && received.restsMs !== undefined) onRest?.(received.restsMs);
  const traced = { ...traceRequest(received, maskedUrl), ...parts };
  const secrets = secretsOfRequest(request);
  if (!received.ok) return failedOutcome(received, traced, secrets);
  if (received.bytes.length === 0) {
    return withoutAds(traced, {
      code: 'NO_ADS',
      text: `The ad server returned an empty response (HTTP ${received.status}).`,
    });
  }
  const { document, raw } = await reader.read(received);
  const contentType = 'reason' in document ? { contentType: received.contentType } : {};
  const response = { bytes: received.bytes.length, raw: maskSecrets(raw, secrets), ...contentType };
  return { document, request: traced, response, secrets, adServer, reader, session, variables, timeLeft };
}

export async function resolveForBreak(received: ReceivedDocument): Promise<ServerOutcome> {
  const { request, secrets, reader, variables } = received;
  const { fetch, sent } = createWrapperFetcher(received);
  const resolved = await resolveDocument(received.document, fetch);
  if ('reason' in resolved) {
    // The reason may quote the response.
    const text = maskSecrets(resolved.reason, secrets);
    return withoutAds(request, { code: 'VAST_UNREADABLE', text }, { version: '', ...received.response });
  }
  const { version, resolution } = resolved;
  const what = version.startsWith('VMAP') ? 'VMAP without ads in its linear breaks' : 'VAST without ads';
  return {
    request,
    response: { version, ...received.response },
    ...breakOutcome(resolution, `The ad server returned ${what}.`, reader.maxUrls),
    ...(sent.length > 0 ? { wrappers: sent } : {}),
    variables,
  };
}

export async function requestAds(
  context: AdRequestContext,
  adServer: AdServer,
  reader: AdResponseReader,
  clock: Clock,
): Promise<ServerOutcome> {
  const received = await requestDocument(context, adServer, reader, clock);
  return withTemplateWarnings(context, 'document' in received ? await resolveForBreak(received) : received);
}

export function withTemplateWarnings<Of extends BreakOutcome>({ source }: AdRequestContext, outcome: Of): Of {
  const warnings = templateWarnings(source);
  return warnings.length === 0 ? outcome : { ...outcome, warnings: [...warnings, ...outcome.warnings] };
}

/** @param secrets of the request, which the body of the response may repeat */
export function failedOutcome(
  { error, body }: Extract<AdServerResponse, { ok: false }>,
  request: ServerOutcome['request'],
  secrets: readonly string[],
): ServerOutcome {
  const response = body && { version: '', bytes: body.bytes.length, ...failedText(body, secrets) };
  return withoutAds(request, failureOf(error, request.error ?? ''), response);
}

const failureOf = (error: string, text: string): NoAdsReason => ({
  code:
    error === 'timeout'
      ? 'AD_SERVER_TIMEOUT'
      : error === 'busy' || error === 'resting'
        ? 'AD_SERVER_NOT_ASKED'
        : 'AD_SERVER_FAILED',
  text,
});

export function withoutAds(
  request: ServerOutcome['request'],
  reason: NoAdsReason,
  response?: ServerOutcome['response'],
): ServerOutcome {
  return { request, ...(response ? { response } : {}), warnings: [], ads: [], dropped: [], errors: [], reason };
}
