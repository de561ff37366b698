// SPDX-License-Identifier: Apache-2.0
// Sends one request of an exchange, and reads its response as the exchange needs it. The rest of a body is read to its end,
// so that the connection can be reused, and cut off if it is long or slow.
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ExchangeStopped, isReset, tooLarge } from './exchangeFailure.ts';

export type Hop = {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  /** The maximum time without a byte. */
  readonly idleMs?: number | undefined;
};

type Bodies =
  /** A successful body is kept in memory, which is faster than a stream; any other body up to `failureBytes`. */
  | { readonly as: 'memory'; readonly maxBytes: number; readonly failureBytes: number }
  /** A successful body is a stream; any other body is discarded. */
  | { readonly as: 'stream'; readonly maxBytes: number }
  /** The body of any response is a stream. */
  | { readonly as: 'anyStream' }
  /** The response is complete with its head. */
  | { readonly as: 'none' };

export type SendOptions = {
  readonly signal: AbortSignal;
  readonly bodies: Bodies;
  /** Sends a GET again if a kept-alive connection was closed meanwhile. */
  readonly retriesResets: boolean;
  /** Called when the request is written to a connection, so that the server may receive it. */
  readonly onSent?: () => void;
};

export type Body = Readable | readonly Uint8Array[];

export type HopResponse = {
  readonly status: number;
  readonly headers: Dispatcher.ResponseData['headers'];
  readonly body: Body;
};

/** A body that is not needed is read up to these limits; then the connection is closed. */
const MAX_DISCARDED_BYTES = 64 * 1024;
const MAX_DISCARD_MS = 100;
/** How many bytes of a stream are read ahead. */
const STREAM_BYTES = 64 * 1024;

const cutOff = (): Error => new ExchangeStopped('cancelled', 'sent a body that is not needed');

class HopHandler implements Dispatcher.DispatchHandler {
  hasResponse = false;
  readonly #options: SendOptions;
  readonly #resolve: (response: HopResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<HopResponse, 'body'> | undefined;
  #stream: Readable | undefined;
  /** Bytes of the body that are kept in memory; undefined if a larger body is a failure. */
  #kept: number | undefined;
  #isResolved = false;
  #isOver = false;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SendOptions, resolve: (response: HopResponse) => void, reject: (error: unknown) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    options.signal.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#fail(this.#options.signal.reason);

  /** Ends the connection unless the response is complete. */
  #end(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    if (error) this.#controller?.abort(error);
  }

  #fail(error: Error): void {
    this.#end(error);
    if (this.#stream) this.#stream.destroy(error);
    else if (this.#kept !== undefined && this.#options.bodies.as === 'stream') this.#respond([]);
    else if (!this.#isResolved) this.#reject(error);
    this.#isResolved = true;
  }

  #respond(body: Body): void {
    if (this.#isResolved || this.#head === undefined) return;
    this.#isResolved = true;
    this.#resolve({ ...this.#head, body });
  }

  readonly #cutOff = (): void => {
    this.#respond(this.#chunks);
    this.#end(cutOff());
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request was stopped before there was a connection.
    if (this.#isOver) controller.abort(cutOff());
    else this.#options.onSent?.();
  }

  onResponseStarted(): void {
    this.hasResponse = true;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: HopResponse['headers']): void {
    if (status < 200 || this.#isOver) return;
    this.#head = { status, headers };
    const { bodies } = this.#options;
    const isSuccess = status <= 299;
    if (bodies.as === 'anyStream') this.#openStream(controller);
    else if (bodies.as === 'none') this.#discard(0);
    else if (!isSuccess) this.#discard(bodies.as === 'memory' ? bodies.failureBytes : 0);
    else if (Number(headers['content-length']) > bodies.maxBytes) this.#fail(tooLarge(bodies.maxBytes));
    else if (bodies.as === 'stream') this.#openStream(controller);
    if (bodies.as === 'none') this.#respond([]);
  }

  #openStream(controller: Dispatcher.DispatchController): void {
    this.#stream = new Readable({
      highWaterMark: STREAM_BYTES,
      read: () => controller.resume(),
      destroy: (error, done) => {
        this.#end(error ?? cutOff());
        done(error);
      },
    });
    this.#respond(this.#stream);
  }

  #discard(kept: number): void {
    this.#kept = kept;
    this.#timer = setTimeout(this.#cutOff, MAX_DISCARD_MS);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    const before = this.#bytes;
    this.#bytes += chunk.length;
    const { bodies } = this.#options;
    if (this.#stream) {
      if (!this.#stream.push(chunk)) controller.pause();
    } else if (this.#kept !== undefined) {
      if (this.#kept > before) this.#chunks.push(chunk.subarray(0, this.#kept - before));
      if (this.#bytes > MAX_DISCARDED_BYTES) this.#cutOff();
    } else if (bodies.as === 'memory' && this.#bytes > bodies.maxBytes) this.#fail(tooLarge(bodies.maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#end();
    if (this.#stream) this.#stream.push(null);
    else this.#respond(this.#chunks);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#controller = undefined;
    this.#fail(error);
  }
}

/**
 * Rejects with what the connection reports, or the reason of the signal.
 *
 * A server may close a kept-alive connection at the moment a request is written to it, so a GET without a byte of
 * response is retried once (RFC 9112 §9.3.1). A request whose response has begun, e.g. with malformed headers, is not
 * retried.
 */
export async function sendHop(dispatcher: Dispatcher, hop: Hop, options: SendOptions): Promise<HopResponse> {
  const { url, idleMs = 0, body = null, ...message } = hop;
  for (let isRetry = false; ; isRetry = true) {
    let handler: HopHandler | undefined;
    try {
      return await new Promise((resolve, reject) => {
        options.signal.throwIfAborted();
        handler = new HopHandler(options, resolve, reject);
        const target = { origin: url.origin, path: url.pathname + url.search };
        try {
          dispatcher.dispatch({ ...message, ...target, body, headersTimeout: idleMs, bodyTimeout: idleMs }, handler);
        } catch (error) {
          // `dispatch` throws for requests that it cannot send, e.g. with invalid headers.
          handler.onResponseError(undefined, error as Error);
        }
      });
    } catch (error) {
      const isRetried =
        options.retriesResets && hop.method === 'GET' && !options.signal.aborted && !handler?.hasResponse;
      if (isRetry || !isRetried || !isReset(error)) throw error;
    }
  }
}
