// SPDX-License-Identifier: Apache-2.0
// Records the exchanges of a try with ad servers: each request with its redirects, its status and its document. It is an ad
// server and a reader, so what is recorded is what the pipeline of viewers sends and reads.

import { curlCommand } from '../../../ads/request/curlCommand.ts';
import { maskSecrets, maskUrl, maskValue, secretsOf, secretsOfRequest } from '../../../ads/request/maskSecrets.ts';
import type { AdRequest, AdResponseReader, AdServer, AdServerResponse, Redirect } from '../../../ads/request/ports.ts';
import { PREVIEW_HEADER } from '../../../ads/request/preview.ts';
import { failedText } from '../../../playback/request/wrapperFetcher.ts';
import type { Timers } from '../../../time/clock.ts';
import { type DocumentContents, documentContents } from './documentContents.ts';

/** Secrets are masked in all of it. */
export type TriedExchange = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly curl: string;
  /** Milliseconds from the start of the try. */
  readonly startedMs: number;
  readonly redirects: readonly Redirect[];
  readonly status?: number;
  readonly ms: number;
  readonly error?: string;
  readonly contentType?: string;
  /** Of a response without success: as far as it was kept. */
  readonly bytes?: number;
  readonly document?: { readonly text: string; readonly isTruncated: boolean };
  readonly contents?: DocumentContents;
};

const MAX_EXCHANGES = 100;
/** Of one document, and of all. */
const MAX_DOCUMENT_BYTES = 64 * 1024;
const MAX_ALL_BYTES = 1024 * 1024;

const maskedHeaders = (headers: AdRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskValue(name, value)]));

/** A form has the syntax of a query, so its secrets are masked like those of a URL. */
const maskedForm = (body: string): string => maskUrl(`?${body}`).slice(1);

function maskedJson(body: string): string {
  const fields = Object.entries(JSON.parse(body) as Record<string, string>);
  return JSON.stringify(Object.fromEntries(fields.map(([name, value]) => [name, maskValue(name, value)])));
}

function describeRequest({ url, method, headers, body }: AdRequest) {
  const isJson = headers['content-type']?.includes('json') === true;
  const masked = {
    url: maskUrl(url),
    method,
    headers: maskedHeaders(headers),
    ...(body === undefined ? {} : { body: isJson ? maskedJson(body) : maskedForm(body) }),
  };
  return { ...masked, curl: curlCommand(masked) };
}

const maskedRedirect = ({ url, status, location }: Redirect): Redirect => ({
  url: maskUrl(url),
  status,
  location: maskUrl(location),
});

const bodyOf = (response: AdServerResponse) =>
  response.ok ? { bytes: response.bytes, contentType: response.contentType } : response.body;

export type ExchangeLog = {
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
  /** In the order of the requests. */
  readonly exchanges: readonly TriedExchange[];
  /** Those that are not listed. */
  readonly omitted: () => number;
};

export function recordExchanges(adServer: AdServer, reader: AdResponseReader, timers: Timers): ExchangeLog {
  const started = timers.elapsed();
  const exchanges: TriedExchange[] = [];
  /** The place of the exchange that a response belongs to, and the secrets of its request. */
  const places = new WeakMap<object, { readonly place: number; readonly secrets: readonly string[] }>();
  let sent = 0;
  let free = MAX_ALL_BYTES;

  function documentOf(response: AdServerResponse, secrets: readonly string[]): Partial<TriedExchange> {
    const body = bodyOf(response);
    if (body === undefined) return {};
    const { contentType, bytes } = body;
    const kept = Math.min(bytes.length, MAX_DOCUMENT_BYTES, free);
    free -= kept;
    const { raw } = failedText(body, secrets, kept);
    const document = bytes.length === 0 ? {} : { document: { text: raw, isTruncated: kept < bytes.length } };
    return { contentType, bytes: bytes.length, ...document };
  }

  return {
    exchanges,
    omitted: () => Math.max(0, sent - MAX_EXCHANGES),
    adServer: {
      async send(own, limits) {
        const request = { ...own, headers: { ...own.headers, [PREVIEW_HEADER]: '1' } };
        const redirects: Redirect[] = [];
        const secrets = secretsOfRequest(request);
        const onRedirect = (redirect: Redirect) => {
          redirects.push(maskedRedirect(redirect));
          secrets.push(...secretsOf(redirect.location));
        };
        sent += 1;
        const startedMs = Math.round(timers.elapsed() - started);
        if (sent > MAX_EXCHANGES) return adServer.send(request, limits);
        const described = { ...describeRequest(request), startedMs, redirects };
        const place = exchanges.push({ ...described, ms: 0 }) - 1;
        const response = await adServer.send(request, { ...limits, onRedirect });
        places.set(response, { place, secrets });
        exchanges[place] = {
          ...described,
          ms: response.ms,
          ...(response.status === undefined ? {} : { status: response.status }),
          ...(response.ok ? {} : { error: `The server ${response.reason}.` }),
          ...documentOf(response, secrets),
        };
        return response;
      },
    },
    reader: {
      maxUrls: reader.maxUrls,
      async read(response) {
        const read = await reader.read(response);
        const known = places.get(response);
        if (known === undefined) return read;
        const contents = maskedContents(documentContents(read.document), known.secrets);
        exchanges[known.place] = { ...exchanges[known.place]!, contents };
        return read;
      },
    },
  };
}

/** A problem may quote the document, which may repeat the request. */
const maskedContents = (contents: DocumentContents, secrets: readonly string[]): DocumentContents =>
  'problem' in contents ? { problem: maskSecrets(contents.problem, secrets) } : contents;
