// SPDX-License-Identifier: Apache-2.0
// Protects sessions in cookies against requests that other sites cause (CSRF): what changes something needs a header that pages
// of other origins cannot send, and the origin of the console.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../../errors.ts';

/** Any value. Sending it to another origin requires a preflight request, which the administrative port does not allow. */
export const CONSOLE_HEADER = 'x-midroll-console';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Checked = { readonly method: string; readonly headers: IncomingHttpHeaders };

/**
 * @param ownUrl public URL of the administrative port
 * @throws {AppError} FORBIDDEN
 */
export function checkOrigin({ method, headers }: Checked, ownUrl: string): void {
  if (reading.has(method)) return;
  if (headers[CONSOLE_HEADER] === undefined)
    throw new AppError('FORBIDDEN', `Missing ${CONSOLE_HEADER} header. Send it with requests that use a cookie.`);
  // Browsers send it over https and to loopback; otherwise `origin` decides.
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(ownUrl).origin : site === 'same-origin';
  if (isOwn) return;
  throw new AppError(
    'FORBIDDEN',
    `Requests with a cookie must come from ${new URL(ownUrl).origin}. If that is not the URL of the console, set ADMIN_URL.`,
  );
}
