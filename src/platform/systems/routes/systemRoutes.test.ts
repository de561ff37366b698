// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminTest, startAdmin } from '../../../../test/servers/adminServer.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await startAdmin({});
});
afterAll(() => admin.close());

test.each([{ toString: 'url' }, 'constructor', '__proto__', 7, null])('rejects a system of type %j', async (type) => {
  const response = await admin.app.inject({
    method: 'POST',
    url: '/api/v2/systems',
    headers: { 'x-api-key': admin.key, 'content-type': 'application/json' },
    payload: JSON.stringify({ type, settings: { url: 'x' } }),
  });
  expect(response.statusCode).toBe(422);
  expect(response.json().data).toContainEqual(expect.objectContaining({ dataPath: '/type' }));
});
