// The administrative routes on each store: SQLite, and a PostgreSQL server of the tests' own.
import { afterAll, beforeAll, describe } from 'vitest';
import { type AdminTest, startAdmin } from '../servers/adminServer.ts';
import { createDatabase, type PostgresDatabase } from '../servers/postgresDatabase.ts';
import { type Client, clientOf } from './client.ts';

export type OnStore = {
  readonly admin: () => AdminTest;
  /** With the key of tenant `acme`. */
  readonly call: Client;
};

/** Each test of `tests` is there for each store; those of one store share what they write. */
export function onBothStores(tests: (on: OnStore) => void): void {
  let postgres: PostgresDatabase;
  beforeAll(async () => {
    postgres = await createDatabase();
  });
  afterAll(() => postgres.drop());

  describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
    let admin: AdminTest;
    let client: Client;
    beforeAll(async () => {
      admin = await startAdmin(kind === 'PostgreSQL' ? { databaseUrl: postgres.url } : {});
      client = clientOf(admin.app, admin.key);
    });
    afterAll(() => admin.close());
    tests({ admin: () => admin, call: (...request) => client(...request) });
  });
}
