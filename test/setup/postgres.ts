// SPDX-License-Identifier: Apache-2.0
// One PostgreSQL server per run, for all tiers that need one. Each suite has its own database in it
// (test/servers/postgresDatabase.ts). Its data need not survive a power cut, since it is removed after the run.
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../servers/startPostgres.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    /** URL of the server's default database, which stays empty. */
    postgresUrl: string;
  }
}

/** Each project loads this file separately, in one process. */
const run = globalThis as { midrollPostgres?: { readonly server: Promise<PostgresServer>; users: number } };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.midrollPostgres ??= { server: startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']), users: 0 };
  const shared = run.midrollPostgres;
  shared.users += 1;
  const server = await shared.server;
  project.provide('postgresUrl', server.url);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete run.midrollPostgres;
    await server.stop();
  };
}
