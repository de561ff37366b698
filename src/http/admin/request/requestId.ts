import { randomUUID } from 'node:crypto';

/** The one that came, when it is fit for headers and logs; else a new one. */
export const requestId = (header: string | string[] | undefined): string =>
  typeof header === 'string' && /^[\w.:-]{1,128}$/.test(header) ? header : randomUUID();
