import type { Origin, ReadFailure, ReadOptions, ReadResult } from '../ports.ts';

export type OriginLimits = {
  /** Reads under way at a time. */
  readonly concurrency: number;
  /** Milliseconds for everything that is read through this origin; what comes later fails. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

const RETRY_AFTER_MS = 300;

/** The same request would fail in the same way. */
const LASTING: ReadonlySet<ReadFailure['error']> = new Set(['badUrl', 'egress', 'redirects', 'garbage', 'tooLarge']);

/** Worth a second request: no answer at all, or one that says "not now". */
const isPassing = ({ error, status }: ReadFailure): boolean =>
  status === undefined ? !LASTING.has(error) : status === 429 || status >= 500;

/**
 * An origin that asks for a few things at a time, asks once more when an answer was missing or the server was ill, and
 * stops when the time is over. One is made for each asset that is imported.
 */
export function limitOrigin(origin: Origin, { concurrency, timeoutMs, signal }: OriginLimits): Origin {
  const deadline = AbortSignal.timeout(timeoutMs);
  const over = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const waiting: (() => void)[] = [];
  let underWay = 0;

  const stopped = (): ReadFailure => ({
    ok: false,
    error: deadline.aborted ? 'timeout' : 'cancelled',
    reason: deadline.aborted
      ? `was not read: the import took longer than ${timeoutMs / 1000} s`
      : 'was not read: the import was stopped',
  });

  async function inTurn<T>(work: () => Promise<T | ReadFailure>): Promise<T | ReadFailure> {
    if (underWay >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return over.aborted ? stopped() : await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  }

  const withSignal = (options: ReadOptions): ReadOptions => ({
    ...options,
    signal: options.signal === undefined ? over : AbortSignal.any([over, options.signal]),
  });

  async function read(url: string, options: ReadOptions): Promise<ReadResult> {
    const first = await origin.read(url, withSignal(options));
    if (first.ok) return first;
    if (over.aborted) return stopped();
    if (!isPassing(first)) return first;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    const second = over.aborted ? stopped() : await origin.read(url, withSignal(options));
    return !second.ok && over.aborted ? stopped() : second;
  }

  return {
    read: (url, options = {}) => inTurn<ReadResult>(() => read(url, options)),
    save: (url, path, options = {}) => inTurn(() => origin.save(url, path, withSignal(options))),
  };
}
