// SPDX-License-Identifier: Apache-2.0
import type { AdminAccess } from './callAdmin.ts';

/** A page of the console, signed in: on loopback, it takes the key from the fragment, which browsers do not send. */
export const consoleUrl = ({ adminUrl, apiKey }: AdminAccess, page = '/'): string =>
  `${adminUrl}/#${page}?api-key=${encodeURIComponent(apiKey)}`;
