// SPDX-License-Identifier: Apache-2.0
// Sends one request and keeps the body of the response in memory: manifests of live origins are requested hundreds of times a
// second, and a stream for each costs more than the rest of the exchange. The body of a response without success is read to its
// end, so that the connection can be reused, and at most its start is kept; a long or slow one is cut off.
import type { Dispatcher } from 'undici';
import { ExchangeStopped, tooLarge } from './exchangeFailure.ts';
import type { Hop } from './hop.ts';

export type CollectedResponse = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & {
  /** As it was sent. If the status is not a success, the start of it; empty unless that is kept. */
  readonly body: readonly Uint8Array[];
};

/** Of a body that is not needed. */
export const MAX_DISCARDED_BYTES = 64 * 1024;
export const MAX_DISCARD_MS = 100;

const cutOff = (): Error => new ExchangeStopped('cancelled', 'sent a body that is not needed');

class Collector implements Dispatcher.DispatchHandler {
  hasResponse = false;
  readonly #maxBytes: number;
  readonly #failureBytes: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (response: CollectedResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #head: Omit<CollectedResponse, 'body'> | undefined;
  #isNeeded = true;
  #isSettled = false;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    maxBytes: number,
    failureBytes: number,
    signal: AbortSignal,
    resolve: (response: CollectedResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#failureBytes = failureBytes;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = (): void => this.#fail(this.#signal.reason);

  /** @returns whether this was the first outcome */
  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#onAbort);
    return true;
  }

  #fail(error: Error): void {
    if (!this.#settle()) return;
    this.#reject(error);
    this.#controller?.abort(error);
  }

  readonly #cutOff = (): void => {
    this.onResponseEnd();
    this.#controller?.abort(cutOff());
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It was stopped before there was a connection.
    if (this.#isSettled) controller.abort(cutOff());
  }

  onResponseStarted(): void {
    this.hasResponse = true;
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    statusCode: number,
    headers: Dispatcher.ResponseData['headers'],
  ): void {
    if (statusCode < 200) return;
    this.#head = { statusCode, headers };
    this.#isNeeded = statusCode <= 299;
    if (!this.#isNeeded) this.#timer = setTimeout(this.#cutOff, MAX_DISCARD_MS);
    else if (Number(headers['content-length']) > this.#maxBytes) this.#fail(tooLarge(this.#maxBytes));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled) return;
    this.#bytes += chunk.length;
    if (!this.#isNeeded) {
      const kept = this.#failureBytes - (this.#bytes - chunk.length);
      if (kept > 0) this.#chunks.push(chunk.subarray(0, kept));
      if (this.#bytes > MAX_DISCARDED_BYTES) this.#cutOff();
    } else if (this.#bytes > this.#maxBytes) this.#fail(tooLarge(this.#maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#settle()) this.#resolve({ ...this.#head!, body: this.#chunks });
  }

  onResponseError(_: unknown, error: Error): void {
    if (this.#settle()) this.#reject(error);
  }
}

/**
 * @param maxBytes of the body; a larger one is a failure
 * @param failureBytes kept of the body of a response without success
 * @returns the response, or the error and whether the server had begun to respond
 */
export async function collectResponse(
  dispatcher: Dispatcher,
  { url, idleMs = 0, ...message }: Hop,
  maxBytes: number,
  signal: AbortSignal,
  failureBytes = 0,
): Promise<CollectedResponse | { readonly error: unknown; readonly hasResponse: boolean }> {
  let collector: Collector | undefined;
  try {
    return await new Promise((resolve, reject) => {
      signal.throwIfAborted();
      collector = new Collector(maxBytes, failureBytes, signal, resolve, reject);
      const timeouts = { headersTimeout: idleMs, bodyTimeout: idleMs };
      const { origin, pathname, search } = url;
      dispatcher.dispatch({ ...message, ...timeouts, origin, path: pathname + search }, collector);
    });
  } catch (error) {
    // `dispatch` throws for requests that it cannot send, e.g. with invalid headers.
    return { error, hasResponse: collector?.hasResponse ?? false };
  }
}
