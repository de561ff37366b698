// SPDX-License-Identifier: Apache-2.0
// One Chromium per run, for all test files that open pages. Each file has contexts of its own in it
// (test/browser/connectChromium.ts).
import type { BrowserServer } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { startChromium } from '../browser/launchChromium.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    /** WebSocket URL of Playwright's server. */
    chromiumUrl: string;
  }
}

/** Each project loads this file separately, in one process. */
const run = globalThis as { midrollChromium?: { readonly server: Promise<BrowserServer>; users: number } };

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.midrollChromium ??= { server: startChromium(), users: 0 };
  const shared = run.midrollChromium;
  shared.users += 1;
  const server = await shared.server;
  project.provide('chromiumUrl', server.wsEndpoint());
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete run.midrollChromium;
    await server.close();
  };
}
