// SPDX-License-Identifier: Apache-2.0
// Connects a test file to the Chromium of the run (test/setup/chromium.ts). Cookies, storage, service workers, caches and
// connections belong to a context, so files do not see those of each other.
import { type Browser, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { TIMEOUT_MS } from './launchChromium.ts';

/** The part of the browser that belongs to one file. `close` closes the contexts of the file; the browser keeps running. */
export type OwnBrowser = Pick<Browser, 'newContext' | 'newPage' | 'close'>;

export async function connectChromium(): Promise<OwnBrowser> {
  const url = inject('chromiumUrl');
  if (!url) throw new Error('No Chromium is running. Add test/setup/chromium.ts to globalSetup.');
  const browser = await chromium.connect(url, { timeout: TIMEOUT_MS });
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  return {
    newContext: (options) => browser.newContext(options),
    newPage: (options) => browser.newPage(options),
    async close() {
      await Promise.all(browser.contexts().map((context) => context.close()));
      // A browser that is connected to is only disconnected by this.
      await browser.close();
    },
  };
}
