// SPDX-License-Identifier: Apache-2.0
// The administrative routes on each database.
import { afterAll, beforeAll } from 'vitest';
import { type AdminTest, type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';
import { type Client, clientOf } from './client.ts';

export type OnStore = {
  readonly admin: () => AdminTest;
  /** With the key of tenant `acme`. */
  readonly call: Client;
};

/** Each test of `tests` is there for each store; those of one store share what they write. */
export function onBothStores(tests: (on: OnStore) => void, options: AdminTestOptions = {}): void {
  onEachDatabase((name, postgresUrl) => {
    let admin: AdminTest;
    let client: Client;
    beforeAll(async () => {
      admin = await startAdmin({ ...options, ...(name === 'PostgreSQL' ? { databaseUrl: postgresUrl() } : {}) });
      client = clientOf(admin.app, admin.key);
    });
    afterAll(() => admin.close());
    tests({ admin: () => admin, call: (...request) => client(...request) });
  });
}
