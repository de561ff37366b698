// SPDX-License-Identifier: Apache-2.0
// Requests to the admin API of Midroll.

import { setTimeout as sleep } from 'node:timers/promises';

export type AdminAccess = { readonly adminUrl: string; readonly apiKey: string };

/**
 * Repeats the request if the admin API limits the rate.
 * @param path below /api/v2
 * @returns the body of the response
 * @throws with the response when the request fails
 */
export async function callAdmin<T>(access: AdminAccess, method: string, path: string, body?: object): Promise<T> {
  const { adminUrl, apiKey } = access;
  const response = await fetch(`${adminUrl}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const retryAfter = Number(response.headers.get('retry-after'));
  if (response.status === 429 && retryAfter > 0) {
    await sleep(1000 * retryAfter);
    return callAdmin(access, method, path, body);
  }
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
