// SPDX-License-Identifier: Apache-2.0
// One Redis server per run, for all tiers that need one. Suites use different names of installations in it
// (test/servers/sessionStores.ts).
import { startRedis } from '../servers/startRedis.ts';
import { sharedServer } from './sharedServer.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    redisUrl: string;
  }
}

export const setup = sharedServer('Redis', {
  start: () => startRedis(),
  provide: (project, { url }) => project.provide('redisUrl', url),
  stop: (server) => server.stop(),
});
