// SPDX-License-Identifier: Apache-2.0
// Records the exchanges of a try with ad servers: each request with its redirects, its status and its document. The
// log is an ad server and a reader, so what is recorded is what the pipeline of viewers sends and reads.

import { curlCommand } from '../../../ads/request/curlCommand.ts';
import {
  maskedJson,
  maskSecrets,
  maskUrl,
  maskValue,
  secretsOf,
  secretsOfRequest,
} from '../../../ads/request/maskSecrets.ts';
import type { AdRequest, AdResponseReader, AdServer, AdServerResponse, Redirect } from '../../../ads/request/ports.ts';
import { PREVIEW_HEADER } from '../../../ads/request/preview.ts';
import type { BidsRead } from '../../../openrtb/auction.ts';
import type { BidReader } from '../../../openrtb/ports.ts';
import { failedText } from '../../../playback/request/wrapperFetcher.ts';
import type { Timers } from '../../../time/clock.ts';
import { formatVastTime } from '../../../vast/macros.ts';
import type { ParsedAdResponse } from '../../../vast/read/readAdResponse.ts';
import type { VmapBreak } from '../../../vast/read/readVmap.ts';
import type { TriedExchange } from '../contract/tryContract.ts';

type Recorded = { -readonly [Field in keyof TriedExchange]: TriedExchange[Field] };

const MAX_EXCHANGES = 100;
/** The most bytes kept of one document, and of all documents. */
const MAX_DOCUMENT_BYTES = 64 * 1024;
const MAX_ALL_BYTES = 1024 * 1024;

const maskedHeaders = (headers: AdRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, maskValue(name, value)]));

/** A form has the syntax of a query, so its secrets are masked like those of a URL. */
function maskedBody(body: string, contentType = ''): string {
  try {
    if (contentType.includes('json')) return maskedJson(JSON.parse(body));
  } catch {
    // A hook may have written a body of any kind.
  }
  return maskUrl(`?${body}`).slice(1);
}

function describeRequest({ url, method, headers, body }: AdRequest) {
  const masked = {
    url: maskUrl(url),
    method,
    headers: maskedHeaders(headers),
    ...(body === undefined ? {} : { body: maskedBody(body, headers['content-type']) }),
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

export function recordExchanges(adServer: AdServer, reader: AdResponseReader & BidReader, timers: Timers) {
  const started = timers.elapsed();
  const exchanges: Recorded[] = [];
  /** The exchange that the bytes of a response belong to, and the secrets of its request. */
  const origins = new WeakMap<Uint8Array, { readonly exchange: Recorded; readonly secrets: readonly string[] }>();
  let sent = 0;
  let free = MAX_ALL_BYTES;

  function documentOf(response: AdServerResponse, secrets: readonly string[]): Partial<Recorded> {
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
    /** In the order of the requests. */
    exchanges,
    /** The number of exchanges that are not listed. */
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
        const exchange: Recorded = { ...describeRequest(request), startedMs, redirects, ms: 0 };
        exchanges.push(exchange);
        const response = await adServer.send(request, { ...limits, onRedirect });
        if (response.ok) origins.set(response.bytes, { exchange, secrets });
        exchange.ms = response.ms;
        if (response.status !== undefined) exchange.status = response.status;
        if (!response.ok) exchange.error = `The server ${response.reason}.`;
        Object.assign(exchange, documentOf(response, secrets));
        return response;
      },
    } satisfies AdServer,
    reader: {
      maxUrls: reader.maxUrls,
      async read(response) {
        const read = await reader.read(response);
        const origin = origins.get(response.bytes);
        if (origin !== undefined) origin.exchange.contents = documentContents(read.document, origin.secrets);
        return read;
      },
      async readBids(bytes, auction) {
        const read = await reader.readBids(bytes, auction);
        const origin = origins.get(bytes);
        if (origin !== undefined) origin.exchange.contents = bidContents(read, origin.secrets);
        return read;
      },
    } satisfies AdResponseReader & BidReader,
  };
}

const bidContents = (read: BidsRead, secrets: readonly string[]): NonNullable<TriedExchange['contents']> =>
  read.kind === 'unreadable'
    ? { problem: maskSecrets(read.reason, secrets) }
    : { format: 'OpenRTB', bids: read.kind === 'bids' ? read.bids.length : 0 };

/** Where a break of VMAP is, as in VMAP: `start`, `end`, `#n`, `n%` or `HH:MM:SS.mmm`. */
export function timeOffsetText(offset: VmapBreak['timeOffset']): string {
  switch (offset.kind) {
    case 'time':
      return formatVastTime(offset.at);
    case 'percent':
      return `${offset.percent}%`;
    case 'position':
      return `#${offset.number}`;
    default:
      return offset.kind;
  }
}

/** A problem may quote the document, which may repeat the secrets of the request. */
function documentContents(
  document: ParsedAdResponse['document'],
  secrets: readonly string[],
): NonNullable<TriedExchange['contents']> {
  if ('ads' in document) {
    const { version, ads } = document;
    const wrappers = ads.filter(({ kind }) => kind === 'wrapper').length;
    return { format: 'VAST', version, ads: ads.length - wrappers, wrappers };
  }
  if (!('adBreaks' in document)) return { problem: maskSecrets(`${document.reason} (line ${document.line})`, secrets) };
  const breaks = document.adBreaks.map(({ id, timeOffset, source }) => ({
    ...(id === undefined ? {} : { id }),
    timeOffset: timeOffsetText(timeOffset),
    source: source?.kind ?? ('none' as const),
    ...(source?.kind === 'vast' ? { ads: source.vast.ads.length } : {}),
  }));
  return { format: 'VMAP', version: document.version, breaks };
}
