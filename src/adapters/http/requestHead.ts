// SPDX-License-Identifier: Apache-2.0
// Sends one GET and returns the head of the response. The body is read to its end without buffering, so that the
// connection can be reused; a long or slow body is cut off. Failures are returned as values (exchangeFailure.ts).
import type { Dispatcher } from 'undici';
import type { Timer, Timers } from '../../time/clock.ts';
import { type ExchangeFailure, ExchangeStopped, explainFailure } from './exchangeFailure.ts';

export type HeadResponse =
  | { readonly ok: true; readonly status: number; readonly location: string }
  /** `wasSent`: the request was sent, so the server may have received it. */
  | (ExchangeFailure & { readonly wasSent: boolean });

/** Of the body. */
const MAX_BYTES = 64 * 1024;
const MAX_BODY_MS = 100;

const bodyCutOff = (): Error => new ExchangeStopped('cancelled', 'sent a body that is not needed');

class HeadHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: HeadResponse) => void;
  #timer: Timer | undefined;
  readonly #timers: Timers;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #bytes = 0;

  constructor(timers: Timers, timeoutMs: number, resolve: (response: HeadResponse) => void) {
    this.#resolve = resolve;
    this.#timers = timers;
    // A response that arrived while this process was busy is read first: the server was not late.
    this.#timer = timers.after(timeoutMs, () => setImmediate(() => this.#onTimeout()));
  }

  #settle(response: HeadResponse): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#timer?.cancel();
    this.#resolve(response);
  }

  #onTimeout(): void {
    if (this.#isSettled) return;
    const reason = new ExchangeStopped('timeout', 'did not respond in time');
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request timed out before there was a connection.
    if (this.#isSettled) controller.abort(bodyCutOff());
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200 || this.#isSettled) return;
    const { location } = headers;
    this.#settle({ ok: true, status, location: typeof location === 'string' ? location.trim() : '' });
    this.#timer = this.#timers.after(MAX_BODY_MS, () => controller.abort(bodyCutOff()));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_BYTES) controller.abort(bodyCutOff());
  }

  onResponseEnd(): void {
    this.#timer?.cancel();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#timer?.cancel();
    this.#settle({ ...explainFailure(error), wasSent: this.#controller !== undefined });
  }
}

/** @param dispatcher checks every connection: the egress guard */
export function requestHead(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
  timers: Timers,
): Promise<HeadResponse> {
  return new Promise((resolve) => {
    const handler = new HeadHandler(timers, timeoutMs, resolve);
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    try {
      dispatcher.dispatch({ origin, path: pathname + search, method: 'GET', headers, ...timeouts }, handler);
    } catch (error) {
      // `dispatch` throws for requests that it cannot send, e.g. with invalid headers.
      handler.onResponseError(undefined, error as Error);
    }
  });
}
