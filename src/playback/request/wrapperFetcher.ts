// SPDX-License-Identifier: Apache-2.0
// Sends the requests of wrappers for the viewer of a break, within its deadline and its limits.
import type { FailedResponse, TracedRequest } from '../../ads/record/breakRecord.ts';
import { adRequestHeaders } from '../../ads/request/buildAdRequest.ts';
import { maskSecrets, maskUrl, secretsOf } from '../../ads/request/maskSecrets.ts';
import type { AdResponseReader, AdServer, AdServerResponse, FailedBody } from '../../ads/request/ports.ts';
import type { AdRequestSession } from '../../ads/request/requestVariables.ts';
import { withoutUndefined } from '../../invariant.ts';
import { fillMacros, type MacroValues } from '../../vast/macros.ts';
import { charsetOf, decodeXml } from '../../xml/decodeXml.ts';
import type { WrapperFetcher } from './resolveWrappers.ts';

export type WrapperDeps = {
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
  readonly session: AdRequestSession;
  readonly variables: MacroValues;
  /** Milliseconds until the deadline. */
  readonly timeLeft: () => number;
};

/** Wrapper requests, in parallel and in a row, and bytes of their responses, which may be in memory at once. */
type WrapperBudget = { requests: number; bytes: number };

/** The most wrapper requests of one break, and the most bytes of their responses. */
const MAX_REQUESTS = 30;
const MAX_BYTES = 4 * 2 ** 20;
/** Bytes kept of a response that could not be used, of each and of all of a break. */
const MAX_FAILED_BYTES = 4 * 1024;
const MAX_ALL_FAILED_BYTES = 16 * 1024;
const MAX_RESPONSE_BYTES = 512 * 1024;

export const traceRequest = (received: AdServerResponse, url: string, server = 'The ad server'): TracedRequest => ({
  url,
  ...(received.status === undefined ? {} : { status: received.status }),
  ms: received.ms,
  ...(received.ok ? {} : { error: `${server} ${received.reason}.` }),
});

/** What the wrappers of one break may use. */
export const breakBudget = (): WrapperBudget => ({ requests: MAX_REQUESTS, bytes: MAX_BYTES });

/**
 * A fetcher for the wrappers of one break, and the requests that it has sent.
 * @param budgets each is reduced by what is used, and may be shared with other breaks
 */
export function createWrapperFetcher(
  { adServer, reader, session, variables, timeLeft }: WrapperDeps,
  budgets: readonly WrapperBudget[] = [breakBudget()],
): { readonly fetch: WrapperFetcher; readonly sent: readonly TracedRequest[] } {
  const headers = adRequestHeaders(session);
  const tenant = withoutUndefined({ tenant: session.tenant });
  const sent: TracedRequest[] = [];
  /** @returns whether all budgets allow it */
  const use = (kind: keyof WrapperBudget, amount: number): boolean => {
    for (const budget of budgets) budget[kind] -= amount;
    return budgets.every((budget) => budget[kind] >= 0);
  };
  let failedBytes = MAX_ALL_FAILED_BYTES;
  /** The start of a response that could not be used, as far as the trace of the break has room for it. */
  const failedResponse = (body: FailedBody | undefined, url: string): Pick<TracedRequest, 'response'> => {
    const kept = Math.min(MAX_FAILED_BYTES, body?.bytes.length ?? 0, failedBytes);
    if (body === undefined || kept <= 0) return {};
    failedBytes -= kept;
    return { response: failedText(body, secretsOf(url), kept) };
  };
  const fetch: WrapperFetcher = async (tagUrl) => {
    const timeoutMs = Math.floor(timeLeft());
    if (timeoutMs < 1) {
      return { ok: false, error: 'timeout', reason: 'was not contacted, because the request had timed out', ms: 0 };
    }
    if (!use('requests', 1)) return 'limitReached';
    const url = fillMacros(tagUrl, variables);
    const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES, ...tenant };
    const received = await adServer.send({ url, method: 'GET', headers }, limits);
    const traced = traceRequest(received, maskUrl(url), 'The server');
    if (!received.ok) {
      sent.push({ ...traced, ...failedResponse(received.body, url) });
      return received;
    }
    const place = sent.push(traced) - 1;
    if (!use('bytes', received.bytes.length)) return 'limitReached';
    if (received.bytes.length === 0) return 'empty';
    const { document } = await reader.read(received);
    if (!('reason' in document)) return document;
    sent[place] = { ...traced, ...failedResponse(received, url) };
    // The reason may quote the response, which may repeat the request.
    return { ...document, reason: maskSecrets(document.reason, secretsOf(url)) };
  };
  return { fetch, sent };
}

/** A content type is a few dozen characters; a header may be anything. */
const MAX_CONTENT_TYPE = 200;

/** Text of a page, without what a store may reject and a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this replaces
const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');

/** A response that could not be used, as a trace shows it. @param secrets of the request, which a response may repeat */
export function failedText(
  { contentType, bytes }: FailedBody,
  secrets: readonly string[],
  maxBytes = Number.POSITIVE_INFINITY,
): FailedResponse {
  const text = decodeXml(bytes.length > maxBytes ? bytes.subarray(0, maxBytes) : bytes, charsetOf(contentType));
  return { contentType: contentType.slice(0, MAX_CONTENT_TYPE), raw: maskSecrets(printable(text), secrets) };
}
