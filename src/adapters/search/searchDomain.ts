// A search domain as it is talked to: OpenSearch, or Elasticsearch, which answers the same few calls. Its trouble is told
// in one sentence without secrets. It refuses to know what the documents mean.
import { Client, errors } from '@opensearch-project/opensearch';
import type { Dispatcher } from 'undici';
import { AppError } from '../../errors.ts';
import {
  GuardedFailure,
  guardedConnection,
  MAX_RESPONSE_BYTES,
  RESPONSE_TOO_LARGE,
} from '../http/guardedConnection.ts';
import type { SearchTarget } from './searchTarget.ts';

export type SearchCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the domain's address; encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Asked once, and not for long: whoever asks comes again later. */
  readonly isOnce?: boolean;
  /** JSON, or lines of it. */
  readonly body?: object | readonly string[];
};

export type SearchDomain = {
  /** @throws {AppError} UNAVAILABLE that says what the domain did */
  call<Answer>(call: SearchCall): Promise<Answer>;
};

const TIMEOUT_MS = 20_000;
const ONCE_TIMEOUT_MS = 10_000;

const typeOf = (body: unknown): string => {
  const { error } = (body ?? {}) as { error?: { type?: unknown; reason?: unknown } };
  return typeof error?.type === 'string' && /^\w{1,80}$/.test(error.type) ? ` (${error.type})` : '';
};

export type SearchError = GuardedFailure['kind'] | 'notJson';

const late = () => new SearchTrouble('timeout', 'did not answer in time');
const notJson = () => new SearchTrouble('notJson', 'did not answer in JSON');

function troubleOf(error: unknown): SearchTrouble {
  if (error instanceof SearchTrouble) return error;
  if (error instanceof errors.ResponseError) return new SearchTrouble('httpStatus', explain(error), error.statusCode);
  if (error instanceof errors.TimeoutError) return late();
  if (error instanceof GuardedFailure) return new SearchTrouble(error.kind, error.message);
  if (!(error instanceof errors.ConnectionError)) return notJson();
  // An answer that breaks off after it has begun fails with the stream's own message.
  if (/timeout/i.test(error.message)) return late();
  if (error.message === RESPONSE_TOO_LARGE)
    return new SearchTrouble('tooLarge', `sent more than ${MAX_RESPONSE_BYTES} bytes`);
  return new SearchTrouble('reset', 'closed the connection before its answer was complete');
}

/** A predicate of the domain. */
function explain(error: errors.ResponseError): string {
  const what = `answered ${error.statusCode}${typeOf(error.body)}`;
  switch (error.statusCode) {
    case 401:
      return `${what}: it does not accept searchUser and searchPassword`;
    case 403:
      return `${what}: searchUser may not do this; it needs to write and read the index, and to put its template`;
    case 413:
      return `${what}: it takes no request as large as this`;
    case 429:
      return `${what}: it has too much to do`;
    default:
      return what;
  }
}

export class SearchTrouble extends AppError {
  /** Of the answer; undefined when there was none. */
  readonly answered: number | undefined;
  readonly error: SearchError;
  constructor(error: SearchError, predicate: string, answered?: number) {
    super('UNAVAILABLE', `The search domain of this system ${predicate}.`);
    this.error = error;
    this.answered = answered;
  }
}

export function openSearchDomain(target: SearchTarget, dispatcher: Dispatcher, timeoutMs = TIMEOUT_MS): SearchDomain {
  const { url, user, password = '' } = target;
  const client = new Client({
    node: url,
    ...(user === undefined ? {} : { auth: { username: user, password } }),
    Connection: guardedConnection(dispatcher),
    agent: false,
    maxRetries: 1,
    requestTimeout: timeoutMs,
    resurrectStrategy: 'none',
  });
  return {
    async call<Answer>({ method, path, query = {}, body, isOnce = false }: SearchCall): Promise<Answer> {
      const patience = isOnce ? { maxRetries: 0, requestTimeout: Math.min(timeoutMs, ONCE_TIMEOUT_MS) } : {};
      const lines = Array.isArray(body) ? { bulkBody: `${body.join('\n')}\n` } : body === undefined ? {} : { body };
      try {
        const answer = await client.transport.request({ method, path, querystring: { ...query }, ...lines }, patience);
        if (typeof answer.body !== 'object' || answer.body === null) throw notJson();
        return answer.body as Answer;
      } catch (error) {
        throw troubleOf(error);
      }
    },
  };
}
