// SPDX-License-Identifier: Apache-2.0
// Sends requests to a search domain through the egress guard. Failures are reported in one sentence without secrets.
import { Client, errors } from '@opensearch-project/opensearch';
import type { Dispatcher } from 'undici';
import {
  GuardedFailure,
  guardedConnection,
  MAX_RESPONSE_BYTES,
  RESPONSE_TOO_LARGE,
} from '../../../../adapters/http/guardedConnection.ts';
import { type FailureCode, type SearchCall, type SearchDomain, SearchDomainError } from './searchDomain.ts';
import type { SearchTarget } from './searchTarget.ts';

const TIMEOUT_MS = 20_000;
const ONCE_TIMEOUT_MS = 10_000;
const TIMED_OUT = 'did not respond in time';
const NOT_JSON = 'did not send a JSON response';

const typeOf = (body: unknown): string => {
  const { error } = (body ?? {}) as { error?: { type?: unknown; reason?: unknown } };
  return typeof error?.type === 'string' && /^\w{1,80}$/.test(error.type) ? ` (${error.type})` : '';
};

function domainErrorOf(cause: unknown): SearchDomainError {
  const failed = (code: FailureCode, predicate: string, status?: number) =>
    new SearchDomainError(code, predicate, status, { cause });
  if (cause instanceof SearchDomainError) return cause;
  if (cause instanceof errors.ResponseError) return failed('httpStatus', explain(cause), cause.statusCode);
  if (cause instanceof errors.TimeoutError) return failed('timeout', TIMED_OUT);
  if (cause instanceof GuardedFailure) return failed(cause.kind, cause.message);
  if (!(cause instanceof errors.ConnectionError)) return failed('notJson', NOT_JSON);
  // A response that fails after it has begun has the message of the stream's error.
  if (/timeout/i.test(cause.message)) return failed('timeout', TIMED_OUT);
  if (cause.message === RESPONSE_TOO_LARGE) return failed('tooLarge', `sent more than ${MAX_RESPONSE_BYTES} bytes`);
  return failed('reset', 'closed the connection before the response was complete');
}

const explanations = new Map([
  [401, ': it rejects searchUser or searchPassword'],
  [403, ': searchUser needs permission to write and read the index and to create its template'],
  [413, ': it does not accept requests of this size'],
  [429, ': it is overloaded'],
]);

/** A predicate of the domain. */
const explain = ({ statusCode, body }: errors.ResponseError): string =>
  `returned status ${statusCode}${typeOf(body)}${explanations.get(statusCode ?? 0) ?? ''}`;

/** @param timeoutMs for one request */
export function openSearchClient(target: SearchTarget, dispatcher: Dispatcher, timeoutMs = TIMEOUT_MS): SearchDomain {
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
    async call<Response>({ method, path, query = {}, body, isOnce = false }: SearchCall): Promise<Response> {
      const limits = isOnce ? { maxRetries: 0, requestTimeout: Math.min(timeoutMs, ONCE_TIMEOUT_MS) } : {};
      const lines = Array.isArray(body) ? { bulkBody: `${body.join('\n')}\n` } : body === undefined ? {} : { body };
      try {
        const response = await client.transport.request({ method, path, querystring: { ...query }, ...lines }, limits);
        if (typeof response.body !== 'object' || response.body === null)
          throw new SearchDomainError('notJson', NOT_JSON);
        return response.body as Response;
      } catch (error) {
        throw domainErrorOf(error);
      }
    },
  };
}
