// SPDX-License-Identifier: Apache-2.0
// Starts the Chromium of this system: one for all tests of a run (test/setup/chromium.ts), or one for a script.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserServer, chromium } from 'playwright-core';

function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  const path = process.env.CHROMIUM_PATH || found;
  if (!path) throw new Error('Chromium not found. Install it, or set CHROMIUM_PATH.');
  return path;
}

/** A limit for pages that hang, in milliseconds. No test judges how long a busy machine takes. */
export const TIMEOUT_MS = 300_000;

/** Muted, and with autoplay allowed. */
const options = () => ({
  executablePath: findChromium(),
  headless: true,
  timeout: TIMEOUT_MS,
  chromiumSandbox: process.getuid?.() !== 0,
  args: [
    ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
    ...['--disable-component-update', '--disable-sync', '--mute-audio'],
    ...['--autoplay-policy=no-user-gesture-required', '--disable-renderer-backgrounding'],
  ],
});

/** For tests, which connect to it with `connectChromium`. */
export const startChromium = (): Promise<BrowserServer> => chromium.launchServer({ host: '127.0.0.1', ...options() });

/** For scripts, which close it. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch(options());
  browser.on('context', (context) => context.setDefaultTimeout(TIMEOUT_MS));
  return browser;
}
