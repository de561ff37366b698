// SPDX-License-Identifier: Apache-2.0
// Requests to the admin API of Midroll.

export type AdminAccess = { readonly adminUrl: string; readonly apiKey: string };

/** @param path below /api/v2 @returns the body of the response @throws with the response when the request fails */
export async function callAdmin<T>(
  { adminUrl, apiKey }: AdminAccess,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${adminUrl}/api/v2${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}
