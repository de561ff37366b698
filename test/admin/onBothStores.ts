// SPDX-License-Identifier: Apache-2.0
// The administrative routes on each database.
import { withoutUndefined } from '../../src/invariant.ts';
import { opened } from '../opened.ts';
import { type AdminTest, type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';
import { type Client, clientOf } from './client.ts';

export type OnStore = {
  readonly admin: AdminTest;
  /** With the key of tenant `acme`. */
  readonly call: Client;
  /** With the key of tenant `globex`. */
  readonly other: Client;
};

/** Each test of `tests` is there for each store; those of one store share what they write. */
export function onBothStores(tests: (on: OnStore) => void, options: AdminTestOptions = {}): void {
  onEachDatabase(async (databaseUrl) => {
    const admin = await opened(startAdmin({ ...options, ...withoutUndefined({ databaseUrl }) }));
    tests({ admin, call: clientOf(admin.app, admin.key), other: clientOf(admin.app, admin.otherKey) });
  });
}
