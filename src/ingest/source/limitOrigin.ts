// SPDX-License-Identifier: Apache-2.0
import { isTransientStatus } from '../../time/transientStatus.ts';
import type { ManifestDecoder, Origin, ReadFailure, ReadOptions, ReadResult } from '../ports.ts';
import { createTaskQueue } from '../taskQueue.ts';
import { createManifestDecoder } from './manifestText.ts';

type OriginLimits = {
  readonly concurrency: number;
  /** Milliseconds for all reads through this origin together. Later reads fail. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Default: one of its own. */
  readonly decode?: ManifestDecoder | undefined;
};

const RETRY_AFTER_MS = 300;

/** The same request would fail in the same way. */
const PERMANENT: ReadonlySet<ReadFailure['error']> = new Set(['badUrl', 'egress', 'redirects', 'garbage', 'tooLarge']);

/** No response, or one that reports a temporary problem of the server. */
const isTransient = ({ error, status }: ReadFailure): boolean =>
  status === undefined ? !PERMANENT.has(error) : isTransientStatus(status);

/** Limits concurrent reads and their total time. After a transient failure, a read is repeated once. */
export function limitOrigin(origin: Origin, { concurrency, timeoutMs, signal, decode }: OriginLimits): Origin {
  const deadline = AbortSignal.timeout(timeoutMs);
  const over = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const queue = createTaskQueue(concurrency);

  const stopped = (): ReadFailure => ({
    ok: false,
    error: deadline.aborted ? 'timeout' : 'cancelled',
    reason: deadline.aborted
      ? `was not read within ${timeoutMs / 1000} s, the limit for everything that the manifest refers to`
      : 'was not read, because reading was cancelled',
  });

  const inTurn = <Result>(read: () => Promise<Result | ReadFailure>): Promise<Result | ReadFailure> =>
    queue.run(async () => (over.aborted ? stopped() : read()), false);

  const withSignal = (options: ReadOptions): ReadOptions => ({
    ...options,
    signal: options.signal === undefined ? over : AbortSignal.any([over, options.signal]),
  });

  async function read(url: string, options: ReadOptions): Promise<ReadResult> {
    const first = await origin.read(url, withSignal(options));
    if (first.ok) return first;
    if (over.aborted) return stopped();
    if (!isTransient(first)) return first;
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    const second = over.aborted ? stopped() : await origin.read(url, withSignal(options));
    return !second.ok && over.aborted ? stopped() : second;
  }

  return {
    decode: decode ?? createManifestDecoder(),
    read: (url, { refusal, ...options } = {}) =>
      inTurn(async () => {
        const reason = refusal?.();
        return reason === undefined ? read(url, options) : { ok: false, error: 'cancelled', reason };
      }),
    save: (url, path, options = {}) => inTurn(() => origin.save(url, path, withSignal(options))),
  };
}
