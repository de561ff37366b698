import type { ErrorAnswer } from '../../../src/http/contract.ts';

export type FieldError = NonNullable<ErrorAnswer['data']>[number];

/** What the interface refused, as it said it; status 0 when it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly data: readonly FieldError[];

  constructor(status: number, message: string, data: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
