// SPDX-License-Identifier: Apache-2.0
// Lets the client of a search domain connect through the egress guard. Handles connections, timeouts and sizes;
// requests and responses are left to the client.
import { Connection, errors } from '@opensearch-project/opensearch';
import { type Dispatcher, request } from 'undici';
import type { ExchangeError } from '../../ads/request/ports.ts';
import { explainFailure } from './exchangeFailure.ts';

/** The largest response. A page of buckets takes a small fraction of this. */
export const MAX_RESPONSE_BYTES = 64 * 2 ** 20;
/** The message of the error that aborts a larger response: of a stream's error, the client keeps only the message. */
export const RESPONSE_TOO_LARGE = 'ERR_RESPONSE_TOO_LARGE';

/** A failed connection, with a code and a reason, which is a predicate of the domain. */
export class GuardedFailure extends errors.ConnectionError {
  readonly kind: ExchangeError | 'packed';
  constructor(kind: ExchangeError | 'packed', reason: string) {
    super(reason);
    this.kind = kind;
  }
}

type RequestParams = Parameters<Connection['request']>[0];
type Callback = Parameters<Connection['request']>[1];

/** @returns a connection class for the client, whose requests all go through the dispatcher */
export function guardedConnection(dispatcher: Dispatcher): typeof Connection {
  return class GuardedConnection extends Connection {
    override request(params: RequestParams, callback: Callback): ReturnType<Connection['request']> {
      const { path = '/', method = 'GET', headers, timeout } = this.buildRequestObject(params);
      const stopped = new AbortController();
      const signals = [stopped.signal, ...(typeof timeout === 'number' ? [AbortSignal.timeout(timeout)] : [])];
      request(this.url.origin + path, {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: headers as Record<string, string>,
        body: params.body ?? null,
        signal: AbortSignal.any(signals),
        headersTimeout: 0,
        bodyTimeout: 0,
      }).then(
        ({ statusCode, headers: received, body }) => {
          // Compressed responses are not requested: their decompressed size has no limit.
          if (received['content-encoding'] !== undefined && received['content-encoding'] !== 'identity') {
            body.on('error', () => {}).destroy();
            callback(new GuardedFailure('packed', 'sent a compressed response that was not requested'), null);
            return;
          }
          let size = 0;
          body.on('data', (chunk: string | Uint8Array) => {
            size += chunk.length;
            if (size > MAX_RESPONSE_BYTES) body.destroy(new Error(RESPONSE_TOO_LARGE));
          });
          callback(null, Object.assign(body, { statusCode, headers: received }) as never);
        },
        (error: unknown) => callback(failureOf(error, stopped.signal.aborted), null),
      );
      return { abort: () => stopped.abort() } as ReturnType<Connection['request']>;
    }
  };
}

/** The client retries connection errors and timeouts. */
function failureOf(cause: unknown, isStopped: boolean): Error {
  if (isStopped) return new errors.RequestAbortedError('did not respond before the request was cancelled');
  const { error: kind, reason } = explainFailure(cause);
  const failure =
    (cause as Error).name === 'TimeoutError'
      ? new errors.TimeoutError('did not respond in time', undefined as never)
      : new GuardedFailure(kind, reason);
  // The constructors of the client's errors accept no cause. Not enumerable, like that of other errors.
  return Object.defineProperty(failure, 'cause', { value: cause });
}
