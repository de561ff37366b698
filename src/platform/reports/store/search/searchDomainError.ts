// SPDX-License-Identifier: Apache-2.0

import type { GuardedFailure } from '../../../../adapters/http/guardedConnection.ts';
import { AppError } from '../../../../errors.ts';

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
