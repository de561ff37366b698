// SPDX-License-Identifier: Apache-2.0
import type { ErrorResponse } from '../../../src/http/contract/commonContract.ts';

export type FieldError = NonNullable<ErrorResponse['data']>[number];

/** A failed request, with the message of the API. The status is 0 when there was no response. */
export class ApiError extends Error {
  readonly status: number;
  readonly data: readonly FieldError[];

  constructor(status: number, message: string, data: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** 412: someone else changed the record after it was read. */
export const isEditConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 412;
