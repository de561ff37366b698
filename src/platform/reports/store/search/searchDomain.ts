// SPDX-License-Identifier: Apache-2.0
// A search domain: OpenSearch, or Elasticsearch, which supports the same requests.
import type { GuardedFailure } from '../../../../adapters/http/guardedConnection.ts';
import { AppError } from '../../../../errors.ts';

export type SearchCall = {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the URL of the domain; encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** No retry and a short timeout, because the caller retries later. */
  readonly isOnce?: boolean;
  /** JSON, or lines of JSON. */
  readonly body?: object | readonly string[];
};

export type SearchDomain = {
  /** @throws {SearchDomainError} */
  call<Response>(call: SearchCall): Promise<Response>;
};

export type FailureCode = GuardedFailure['kind'] | 'notJson';

/** A failed request to a search domain. The message contains no secrets. */
export class SearchDomainError extends AppError {
  readonly error: FailureCode;
  /** Undefined if there was no response. */
  readonly responseStatus: number | undefined;
  constructor(error: FailureCode, predicate: string, responseStatus?: number, options: { cause?: unknown } = {}) {
    super('UNAVAILABLE', `The search domain of this system ${predicate}.`, options);
    this.error = error;
    this.responseStatus = responseStatus;
  }
}
