// SPDX-License-Identifier: Apache-2.0
// One Chromium per run, for all test files that open pages. Each file has contexts of its own in it
// (test/browser/connectChromium.ts).
import { startChromium } from '../browser/launchChromium.ts';
import { sharedServer } from './sharedServer.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest's interface is extended by declaring it again
  export interface ProvidedContext {
    /** WebSocket URL of Playwright's server. */
    chromiumUrl: string;
  }
}

export const setup = sharedServer('Chromium', {
  start: startChromium,
  provide: (project, server) => project.provide('chromiumUrl', server.wsEndpoint()),
  stop: (server) => server.close(),
});
