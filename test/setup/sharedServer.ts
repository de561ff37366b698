// SPDX-License-Identifier: Apache-2.0
// A server that all tiers of a run share. Each project loads its set-up separately, in one process.
import type { TestProject } from 'vitest/node';

type Shared<Server> = {
  readonly start: () => Promise<Server>;
  readonly provide: (project: TestProject, server: Server) => void;
  readonly stop: (server: Server) => Promise<void>;
};

/** @param name unique in the run @returns the `setup` of a file */
export function sharedServer<Server>(name: string, { start, provide, stop }: Shared<Server>) {
  const run = globalThis as unknown as Record<string, { server: Promise<Server>; users: number } | undefined>;
  const key = `midroll ${name}`;
  return async (project: TestProject): Promise<() => Promise<void>> => {
    run[key] ??= { server: start(), users: 0 };
    const shared = run[key];
    shared.users += 1;
    const server = await shared.server;
    provide(project, server);
    return async () => {
      shared.users -= 1;
      if (shared.users > 0) return;
      delete run[key];
      await stop(server);
    };
  };
}
