// One GET of which only the head of the answer counts: no stream is made of the body, it runs out so that its connection can
// be used again, and a long or slow one is cut off. Trouble outside becomes a value (exchangeFailure.ts).
import type { Dispatcher } from 'undici';
import type { Timer, Timers } from '../../time/clock.ts';
import { type ExchangeFailure, ExchangeStopped, explainFailure } from './exchangeFailure.ts';

export type HeadAnswer =
  | { readonly ok: true; readonly status: number; readonly location: string }
  /** `wasAsked`: the question went out, and may have been heard. */
  | (ExchangeFailure & { readonly wasAsked: boolean });

/** Of a body that nobody reads. */
const MOST_BYTES = 64 * 1024;
const LONGEST_BODY_MS = 100;

const bodyEnds = (): Error => new ExchangeStopped('cancelled', 'was no longer needed');

class HeadOnly implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: HeadAnswer) => void;
  #timer: Timer | undefined;
  readonly #timers: Timers;
  #controller: Dispatcher.DispatchController | undefined;
  /** Answered, or given up: nothing more is to be told. */
  #isTold = false;
  #bytes = 0;

  constructor(timers: Timers, timeoutMs: number, resolve: (answer: HeadAnswer) => void) {
    this.#resolve = resolve;
    this.#timers = timers;
    // An answer that has come while this process was busy is read first: it was not the server that was late.
    this.#timer = timers.after(timeoutMs, () => setImmediate(() => this.#giveUp()));
  }

  #tell(answer: HeadAnswer): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#timer?.cancel();
    this.#resolve(answer);
  }

  #giveUp(): void {
    if (this.#isTold) return;
    const reason = new ExchangeStopped('timeout', 'did not answer in time');
    this.onResponseError(undefined, reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up before there was a connection.
    if (this.#isTold) controller.abort(bodyEnds());
    else this.#controller = controller;
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200 || this.#isTold) return;
    const { location } = headers;
    this.#tell({ ok: true, status, location: typeof location === 'string' ? location.trim() : '' });
    this.#timer = this.#timers.after(LONGEST_BODY_MS, () => controller.abort(bodyEnds()));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES) controller.abort(bodyEnds());
  }

  onResponseEnd(): void {
    this.#timer?.cancel();
  }

  onResponseError(_: unknown, error: Error): void {
    this.#timer?.cancel();
    this.#tell({ ...explainFailure(error), wasAsked: this.#controller !== undefined });
  }
}

/** @param dispatcher every connection of which is checked: the egress guard */
export function askHead(
  dispatcher: Dispatcher,
  { origin, pathname, search }: URL,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
  timers: Timers,
): Promise<HeadAnswer> {
  return new Promise((resolve) => {
    const handler = new HeadOnly(timers, timeoutMs, resolve);
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    try {
      dispatcher.dispatch({ origin, path: pathname + search, method: 'GET', headers, ...timeouts }, handler);
    } catch (error) {
      // What it cannot ask at all it throws.
      handler.onResponseError(undefined, error as Error);
    }
  });
}
