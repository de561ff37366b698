import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminTest, startAdmin } from '../../../../test/servers/adminServer.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await startAdmin({});
});
afterAll(() => admin.close());

test.each([{ toString: 'url' }, 'constructor', '__proto__', 7, null])(
  'a system of type %j is refused',
  async (type) => {
    const answer = await admin.app.inject({
      method: 'POST',
      url: '/api/v2/systems',
      headers: { 'x-api-key': admin.key, 'content-type': 'application/json' },
      payload: JSON.stringify({ type, settings: { url: 'x' } }),
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().data).toContainEqual(expect.objectContaining({ dataPath: '/type' }));
  },
);
