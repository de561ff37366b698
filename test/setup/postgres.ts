// SPDX-License-Identifier: Apache-2.0
// One PostgreSQL server per run, for all tiers that need one. Each suite has its own database in it
// (test/servers/postgresDatabase.ts). Its data need not survive a power cut, since it is removed after the run.
import { startPostgres } from '../servers/startPostgres.ts';
import { sharedServer } from './sharedServer.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    /** URL of the server's default database, which stays empty. */
    postgresUrl: string;
  }
}

export const setup = sharedServer('PostgreSQL', {
  start: () => startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']),
  provide: (project, { url }) => project.provide('postgresUrl', url),
  stop: (server) => server.stop(),
});
