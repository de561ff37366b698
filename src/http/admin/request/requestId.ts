// SPDX-License-Identifier: Apache-2.0
import { randomUUID } from 'node:crypto';

/** The client's `x-request-id` if it is safe in headers and logs, else a new one. */
export const requestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
