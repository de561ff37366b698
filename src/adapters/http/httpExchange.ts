// SPDX-License-Identifier: Apache-2.0
// One HTTP exchange with a foreign server: a request with its redirects, a decoded body of limited size, and one
// deadline for all of it. Failures are returned as values (exchangeFailure.ts). The meaning of the bytes is left to the
// caller.
import { once } from 'node:events';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { ExchangeFailure, FailedBody, Redirect } from '../../ads/request/ports.ts';
import { joinBytes } from '../../mp4/boxes.ts';
import { systemTimers } from '../systemClock.ts';
import { type ConcurrencyLimits, createConcurrencyLimiter } from './concurrencyLimiter.ts';
import type { EgressGuard } from './egressGuard.ts';
import { createExchangeCookies, type ExchangeCookies } from './exchangeCookies.ts';
import { ExchangeStopped, explainFailure, failure, tooLarge } from './exchangeFailure.ts';
import {
  followRedirects,
  type HostCertificates,
  headerOf,
  readHttpUrl,
  takeCredentials,
  withDeadline,
} from './followRedirects.ts';
import type { Body, Hop, HopResponse } from './sendHop.ts';

type ExchangeRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The limit for the decoded body; a larger body is a failure. */
  readonly maxBytes: number;
  /** The limit for the whole exchange: the wait for a place, the connection, redirects and the body. */
  readonly timeoutMs: number;
  /** The maximum time without a byte of the response's head or body. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** The cookies of earlier exchanges; by default, cookies live as long as this exchange. */
  readonly cookies?: ExchangeCookies;
  /** The sink gets the body when it is complete, which is faster than a stream for what is kept in memory anyway. */
  readonly isCollected?: boolean;
  /** Bytes kept of the body of a response without success; needs `isCollected`. */
  readonly failureBytes?: number;
  readonly onRedirect?: ((redirect: Redirect) => void) | undefined;
  readonly certificateFor?: HostCertificates | undefined;
};

export type ResponseHead = {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Headers that are absent are empty. */
  readonly contentType: string;
  readonly contentRange: string;
  readonly allowOrigin: string;
  readonly date: string;
  readonly etag: string;
};

/** Receives the decoded body in pieces. Returns true when it needs no more of them. */
type BodySink = (chunk: Uint8Array, head: ResponseHead) => Taken;
type Taken = boolean | Promise<boolean>;

export type ExchangeResult = (ResponseHead & { readonly ok: true }) | ExchangeFailure;

async function readBody(body: Body, encoding: string, maxBytes: number, take: (chunk: Uint8Array) => Taken) {
  const decoded = await decodeBody(body, encoding);
  let size = 0;
  if (Array.isArray(decoded)) {
    // Without the promises of an asynchronous iteration.
    for (const chunk of decoded as readonly Uint8Array[]) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      const taken = take(chunk);
      if (taken === true || (taken !== false && (await taken))) return;
    }
    return;
  }
  for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (await take(chunk)) return;
  }
}

async function sendAndRead(
  guard: EgressGuard,
  first: Hop,
  { maxBytes, cookies = createExchangeCookies(), isCollected = false, failureBytes = 0, ...own }: ExchangeRequest,
  sink: BodySink,
  signal: AbortSignal,
): Promise<ExchangeResult> {
  const bodies = isCollected
    ? ({ as: 'memory', maxBytes, failureBytes } as const)
    : ({ as: 'stream', maxBytes } as const);
  const { onRedirect, certificateFor } = own;
  const journey = { signal, bodies, retriesResets: true, cookies, onRedirect, certificateFor };
  const { response, url } = await followRedirects(guard, first, journey);
  const { status, body } = response;
  // Errors of the body reach its reader; those after the last read are ignored.
  if (body instanceof Readable) body.on('error', () => {});
  try {
    if (status < 200 || status > 299) {
      const start = await readFailureBody(response, failureBytes);
      const retryAfter = headerOf(response, 'retry-after');
      return {
        ...failure('httpStatus', `returned status ${status}`, status),
        ...(start ? { body: start } : {}),
        ...(retryAfter === '' ? {} : { retryAfter }),
      };
    }
    const head: ResponseHead = {
      url: url.href,
      status,
      contentType: headerOf(response, 'content-type'),
      contentRange: headerOf(response, 'content-range'),
      allowOrigin: headerOf(response, 'access-control-allow-origin'),
      date: headerOf(response, 'date'),
      etag: headerOf(response, 'etag'),
    };
    await readBody(body, headerOf(response, 'content-encoding'), maxBytes, (chunk) => sink(chunk, head));
    return { ok: true, ...head };
  } finally {
    if (body instanceof Readable) body.destroy();
  }
}

/** The start of the body of a response without success. It may be cut off, so a coding is decoded as far as possible. */
async function readFailureBody(response: HopResponse, maxBytes: number): Promise<FailedBody | undefined> {
  if (!Array.isArray(response.body) || response.body.length === 0) return undefined;
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    await readBody(response.body, headerOf(response, 'content-encoding'), Number.POSITIVE_INFINITY, (chunk) => {
      pieces.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      return size >= maxBytes;
    });
  } catch {
    // What was decoded before the error is kept.
  }
  return pieces.length === 0
    ? undefined
    : { contentType: headerOf(response, 'content-type'), bytes: joinBytes(pieces) };
}

function firstHop({ url: text, method = 'GET', headers = {}, body, idleMs }: ExchangeRequest): Hop {
  const url = readHttpUrl(text);
  const own = { 'accept-encoding': ACCEPT_ENCODING, ...takeCredentials(url) };
  return { url, method, headers: { ...own, ...headers }, body, idleMs };
}

/** Sends the request, follows at most five redirects, and passes the decoded body to `sink`. Never rejects. */
type Exchange = (request: ExchangeRequest, sink: BodySink) => Promise<ExchangeResult>;

/** @param limits for each host; @param timers measure the deadlines */
export function createExchange(guard: EgressGuard, limits: ConcurrencyLimits, timers = systemTimers): Exchange {
  const limiter = createConcurrencyLimiter(limits);

  async function runInTurn(request: ExchangeRequest, sink: BodySink, signal: AbortSignal): Promise<ExchangeResult> {
    const first = firstHop(request);
    const release = await limiter.acquire(first.url.host, signal);
    if (release === 'full') return failure('busy', 'already has too many waiting requests, so this one was not sent');
    if (release === 'aborted') {
      if (request.signal?.aborted) throw signal.reason;
      return failure('busy', `was busy with other requests for ${request.timeoutMs} ms, so this one was not sent`);
    }
    try {
      return await sendAndRead(guard, first, request, sink, signal);
    } finally {
      release();
    }
  }

  return (request, sink) => {
    const { timeoutMs: ms } = request;
    const work = async (signal: AbortSignal, stop: (why: ExchangeStopped) => void) => {
      const cancel = () => stop(new ExchangeStopped('cancelled', 'did not respond before the request was cancelled'));
      request.signal?.addEventListener('abort', cancel, { once: true });
      if (request.signal?.aborted) cancel();
      try {
        return await runInTurn(request, sink, signal);
      } finally {
        request.signal?.removeEventListener('abort', cancel);
      }
    };
    const reason = `did not send a complete response within ${ms} ms`;
    return withDeadline<ExchangeResult>({ timers, ms, reason }, work, explainFailure);
  };
}

// Decodes the content coding of a body (RFC 9110 §8.4.1) as a stream. The reader counts decoded bytes, so it can stop a
// small body that expands to gigabytes.

const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Zlib (RFC 1950), but some servers send a raw stream (RFC 1951). The first byte shows which one it is. */
async function inflaterFor(body: Readable): Promise<Transform> {
  await once(body, 'readable');
  const first: Uint8Array | null = body.read(1);
  if (first) body.unshift(first);
  return ((first?.[0] ?? 8) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

async function decoderFor(coding: string, body: Readable): Promise<Transform> {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'deflate') return inflaterFor(body);
  throw new ExchangeStopped('garbage', 'sent a body in a content-encoding that was not requested');
}

/** Values that mean no coding: none at all, or a character encoding that servers send by mistake. */
const NO_CODING = /^(|identity|none|binary|utf-?8|iso-8859-1)$/;

/** @param contentEncoding the header's value; empty if it is absent */
async function decodeBody(body: Body, contentEncoding: string): Promise<Body> {
  if (contentEncoding === '') return body;
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !NO_CODING.test(coding));
  const [coding, ...more] = codings;
  if (coding === undefined) return body;
  if (more.length > 0) throw new ExchangeStopped('garbage', 'sent a body in more than one content-encoding');
  const stream = body instanceof Readable ? body : Readable.from(body, { objectMode: false });
  // `pipeline` requires a callback; errors reach the reader of the decoder.
  return pipeline(stream, await decoderFor(coding, stream), () => {});
}
