// One PostgreSQL server for a run, whichever tiers of it need one; each suite has a database of its own in it
// (test/servers/postgresDatabase.ts). It may forget everything in a power cut, since it is gone after the run anyway.
import type { TestProject } from 'vitest/node';
import { type PostgresServer, startPostgres } from '../servers/startPostgres.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's own interface is extended by declaring it again
  export interface ProvidedContext {
    /** Of the server's own database, in which nothing is kept. */
    postgresUrl: string;
  }
}

/** Each project loads this file for itself; the process that runs them is one. */
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
