// How the search domain's own client speaks HTTP: through the egress guard, like everything else that goes out. It knows
// connections and time; it refuses to know what is asked.
import { Connection, errors } from '@opensearch-project/opensearch';
import { type Dispatcher, request } from 'undici';
import type { ExchangeError } from '../../ads/request/ports.ts';
import { explainFailure } from './exchangeFailure.ts';

/** Of an answer: a page of buckets is a few of a hundredth of it. */
export const MOST_BYTES = 64 * 2 ** 20;
/** The message of what breaks off a longer one: of an error of the stream the client keeps the message alone. */
export const ANSWER_TOO_LARGE = 'ERR_ANSWER_TOO_LARGE';

/** A connection that failed, with its kind and a predicate of the domain. */
export class GuardedFailure extends errors.ConnectionError {
  readonly kind: ExchangeError | 'packed';
  constructor(kind: ExchangeError | 'packed', reason: string) {
    super(reason);
    this.kind = kind;
  }
}

type Asked = Parameters<Connection['request']>[0];
type Callback = Parameters<Connection['request']>[1];

/** @returns a class of connections, as the client wants it, whose every request passes the dispatcher */
export function guardedConnection(dispatcher: Dispatcher): typeof Connection {
  return class GuardedConnection extends Connection {
    override request(asked: Asked, callback: Callback): ReturnType<Connection['request']> {
      const { path = '/', method = 'GET', headers, timeout } = this.buildRequestObject(asked);
      const stopped = new AbortController();
      const signals = [stopped.signal, ...(typeof timeout === 'number' ? [AbortSignal.timeout(timeout)] : [])];
      request(this.url.origin + path, {
        dispatcher,
        method: method as Dispatcher.HttpMethod,
        headers: headers as Record<string, string>,
        body: asked.body ?? null,
        signal: AbortSignal.any(signals),
        headersTimeout: 0,
        bodyTimeout: 0,
      }).then(
        ({ statusCode, headers: answered, body }) => {
          // Packed answers were not asked for: what they unpack to has no bound.
          if (answered['content-encoding'] !== undefined && answered['content-encoding'] !== 'identity') {
            body.on('error', () => {}).destroy();
            callback(new GuardedFailure('packed', 'sent a packed answer, which was not asked for'), null);
            return;
          }
          let size = 0;
          body.on('data', (chunk: string | Uint8Array) => {
            size += chunk.length;
            if (size > MOST_BYTES) body.destroy(new Error(ANSWER_TOO_LARGE));
          });
          callback(null, Object.assign(body, { statusCode, headers: answered }) as never);
        },
        (error: unknown) => callback(failureOf(error, stopped.signal.aborted), null),
      );
      return { abort: () => stopped.abort() } as ReturnType<Connection['request']>;
    }
  };
}

/** The client tries again what is a matter of the connection. */
function failureOf(error: unknown, isStopped: boolean): Error {
  if (isStopped) return new errors.RequestAbortedError('was no longer needed');
  if ((error as Error).name === 'TimeoutError')
    return new errors.TimeoutError('did not answer in time', undefined as never);
  const { error: kind, reason } = explainFailure(error);
  return new GuardedFailure(kind, reason);
}
