// One exchange over HTTP with somebody else's server: a request, its redirects, a decoded and limited body, one
// deadline for it all. Trouble outside becomes a value (exchangeFailure.ts). It refuses to know what the bytes mean.
import type { Readable } from 'node:stream';
import { type Dispatcher, request } from 'undici';
import type { Timers } from '../../time/clock.ts';
import { systemTimers } from '../systemClock.ts';
import { ACCEPT_ENCODING, decodeBody } from './decodeBody.ts';
import { createExchangeCookies } from './exchangeCookies.ts';
import { type ExchangeFailure, ExchangeStopped, explainFailure, failure, isReset } from './exchangeFailure.ts';
import { createKeyedGate, type GateLimits } from './keyedGate.ts';
import { takeCredentials } from './urlCredentials.ts';

type ExchangeRequest = {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the decoded body; more is a failure. 0: nobody wants the body, so it is not waited for. */
  readonly maxBytes: number;
  /** It counts how often it is asked: a connection that dies is told, and nothing asked again. */
  readonly isCounted?: true;
  /** For the whole exchange: connection, redirects and body. */
  readonly timeoutMs: number;
  /** Without a byte, of the answer's head or of its body. */
  readonly idleMs?: number;
  readonly signal?: AbortSignal;
};

export type AnswerHead = {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Empty when the server did not say. */
  readonly contentType: string;
  /** Empty when the answer is not partial. */
  readonly contentRange: string;
  /** `access-control-allow-origin`; empty when the server did not say. */
  readonly allowOrigin: string;
};

/** Takes the decoded body, piece by piece; answers true when it has all that it wants. */
type BodySink = (chunk: Uint8Array, head: AnswerHead) => boolean | Promise<boolean>;

export type ExchangeResult = (AnswerHead & { readonly ok: true }) | ExchangeFailure;

type Hop = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isCounted?: true;
  readonly idleMs?: number;
};

export const MAX_REDIRECTS = 5;
export const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What follows a redirect to another origin; any other header may be a credential. */
const SHARED_HEADERS =
  /^(accept|accept-(encoding|language)|content-type|origin|range|user-agent|x-forwarded-for|x-device-(ip|user-agent))$/;

export function readHttpUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new ExchangeStopped('badUrl', 'has a URL that cannot be read');
  const url = new URL(text, base);
  url.hash = '';
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new ExchangeStopped('badUrl', `has a URL that is not http or https but ${url.protocol.slice(0, -1)}`);
}

/** RFC 9110 §15.4: 303, and by custom 301 and 302, make a GET of a POST. */
function nextHop(hop: Hop, status: number, location: string): Hop {
  const url = readHttpUrl(location, hop.url);
  const keepsBody = status === 307 || status === 308;
  const headers = Object.entries(hop.headers).filter(
    ([name]) =>
      (url.origin === hop.url.origin || SHARED_HEADERS.test(name)) && (keepsBody || !name.startsWith('content-')),
  );
  return {
    url,
    method: keepsBody ? hop.method : 'GET',
    headers: Object.fromEntries(headers),
    ...(hop.isCounted ? { isCounted: true } : {}),
    ...(hop.idleMs === undefined ? {} : { idleMs: hop.idleMs }),
    ...(keepsBody && hop.body !== undefined ? { body: hop.body } : {}),
  };
}

/**
 * A kept-alive connection may be closed by its server just as we write on it, which says nothing about the server: a GET
 * without a byte of answer is sent once more (RFC 9112 §9.3.1). A server that answers with malformed headers is not asked again.
 */
async function ask(dispatcher: Dispatcher, hop: Hop, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  const { isCounted, idleMs = 0, ...said } = hop;
  let isAnswered = false;
  const noting = dispatcher.compose((dispatch) => (options, handler) => {
    handler.onResponseStarted = () => {
      isAnswered = true;
    };
    return dispatch(options, handler);
  });
  const options = {
    ...said,
    ...{ dispatcher: noting, signal, body: hop.body ?? null, headersTimeout: idleMs, bodyTimeout: idleMs },
  };
  try {
    return await request(hop.url, options);
  } catch (error) {
    if (isCounted || hop.method !== 'GET' || signal.aborted || isAnswered || !isReset(error)) throw error;
    return await request(hop.url, options);
  }
}

/** Lets a small body run out, so that its connection can be used again; a long or slow one is cut off. */
const discard = (body: Dispatcher.ResponseData['body']): Promise<void> =>
  body.dump({ limit: 64 * 1024, signal: AbortSignal.timeout(100) }).catch(() => {});

const withCookies = (hop: Hop, cookies: string): Hop =>
  cookies === ''
    ? hop
    : { ...hop, headers: { ...hop.headers, cookie: [hop.headers.cookie, cookies].filter(Boolean).join('; ') } };

async function follow(dispatcher: Dispatcher, first: Hop, signal: AbortSignal) {
  let hop = first;
  const cookies = createExchangeCookies();
  for (let redirects = 0; ; redirects += 1) {
    const answer = await ask(dispatcher, withCookies(hop, cookies.tell(hop.url)), signal);
    const location = REDIRECTS.has(answer.statusCode) ? headerOf(answer, 'location') : '';
    if (location === '') return { answer, url: hop.url };
    await discard(answer.body);
    cookies.keep(hop.url, answer.headers['set-cookie']);
    if (redirects === MAX_REDIRECTS) {
      throw new ExchangeStopped('redirects', `redirected more than ${MAX_REDIRECTS} times`);
    }
    hop = nextHop(hop, answer.statusCode, location);
  }
}

function headerOf(answer: Dispatcher.ResponseData, name: string): string {
  const value = answer.headers[name];
  return (Array.isArray(value) ? value.join(', ') : value)?.trim() ?? '';
}

async function pour(
  body: Readable,
  encoding: string,
  maxBytes: number,
  take: (chunk: Uint8Array) => ReturnType<BodySink>,
) {
  const decoded: AsyncIterable<Uint8Array> = await decodeBody(body, encoding);
  let size = 0;
  for await (const chunk of decoded) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    if (await take(chunk)) return;
  }
}

const tooLarge = (maxBytes: number) => new ExchangeStopped('tooLarge', `sent more than ${maxBytes} bytes`);

async function converse(
  dispatcher: Dispatcher,
  first: Hop,
  maxBytes: number,
  sink: BodySink,
  signal: AbortSignal,
): Promise<ExchangeResult> {
  const { answer, url } = await follow(dispatcher, first, signal);
  // Whoever reads the body sees its errors; what comes after the last read is nobody's.
  answer.body.on('error', () => {});
  try {
    const status = answer.statusCode;
    if (status < 200 || status > 299) {
      await discard(answer.body);
      return failure('httpStatus', `answered ${status}`, status);
    }
    const head: AnswerHead = {
      url: url.href,
      status,
      contentType: headerOf(answer, 'content-type'),
      contentRange: headerOf(answer, 'content-range'),
      allowOrigin: headerOf(answer, 'access-control-allow-origin'),
    };
    if (maxBytes === 0) {
      await discard(answer.body);
      return { ok: true, ...head };
    }
    const declared = Number(headerOf(answer, 'content-length'));
    if (declared > maxBytes) throw tooLarge(maxBytes);
    await pour(answer.body, headerOf(answer, 'content-encoding'), maxBytes, (chunk) => sink(chunk, head));
    return { ok: true, ...head };
  } finally {
    answer.body.destroy();
  }
}

function firstHop({ url: text, method = 'GET', headers = {}, body, isCounted, idleMs }: ExchangeRequest): Hop {
  const url = readHttpUrl(text);
  return {
    url,
    method,
    headers: { 'accept-encoding': ACCEPT_ENCODING, ...takeCredentials(url), ...headers },
    ...(body === undefined ? {} : { body }),
    ...(isCounted ? { isCounted } : {}),
    ...(idleMs === undefined ? {} : { idleMs }),
  };
}

/**
 * Asks, follows at most five redirects, and hands the decoded body to `sink`. Waiting for a place at the host's gate
 * counts as time too.
 */
export type Exchange = (asked: ExchangeRequest, sink: BodySink) => Promise<ExchangeResult>;

/** @param timers keep the deadlines */
export function createExchange(dispatcher: Dispatcher, limits: GateLimits, timers: Timers = systemTimers): Exchange {
  const gate = createKeyedGate(limits);

  const inTurn = async (asked: ExchangeRequest, sink: BodySink, signal: AbortSignal): Promise<ExchangeResult> => {
    const first = firstHop(asked);
    const leave = await gate.enter(first.url.host, signal);
    if (leave === 'full') return failure('busy', 'was not asked: too many requests to it are waiting');
    if (leave === 'aborted') {
      if (asked.signal?.aborted) throw signal.reason;
      return failure('busy', `was not asked within ${asked.timeoutMs} ms: other requests to it took that long`);
    }
    try {
      return await converse(dispatcher, first, asked.maxBytes, sink, signal);
    } finally {
      leave();
    }
  };

  return async (asked, sink) => {
    const deadline = new AbortController();
    const stop = (error: 'timeout' | 'cancelled', reason: string) => deadline.abort(new ExchangeStopped(error, reason));
    const tooLate = `did not answer completely within ${asked.timeoutMs} ms`;
    // An answer that has come while this process was busy is read first: it was not the server that was late.
    const timer = timers.after(asked.timeoutMs, () => setImmediate(() => stop('timeout', tooLate)));
    const cancel = () => stop('cancelled', 'was no longer needed');
    asked.signal?.addEventListener('abort', cancel, { once: true });
    if (asked.signal?.aborted) cancel();
    try {
      return await inTurn(asked, sink, deadline.signal);
    } catch (error) {
      // A socket that was cut by the deadline may report anything: the deadline is what happened.
      return explainFailure(deadline.signal.aborted ? deadline.signal.reason : error);
    } finally {
      timer.cancel();
      asked.signal?.removeEventListener('abort', cancel);
    }
  };
}
