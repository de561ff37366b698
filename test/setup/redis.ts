// SPDX-License-Identifier: Apache-2.0
// One Redis server per run, for all tiers that need one. Suites use different names of installations in it
// (test/servers/sessionStores.ts).
import type { TestProject } from 'vitest/node';
import { type RedisServer, startRedis } from '../servers/startRedis.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    redisUrl: string;
  }
}

/** Each project loads this file separately, in one process. */
const run = globalThis as { midrollRedis?: { readonly server: Promise<RedisServer>; users: number } };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.midrollRedis ??= { server: startRedis(), users: 0 };
  const shared = run.midrollRedis;
  shared.users += 1;
  const server = await shared.server;
  project.provide('redisUrl', server.url);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete run.midrollRedis;
    await server.stop();
  };
}
