// SPDX-License-Identifier: Apache-2.0
// The surroundings of the console's end-to-end test: a Midroll process with three assets, an ad server whose second ad never
// fits, and a browser that records its requests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { connectChromium } from '../browser/connectChromium.ts';
import { startAdHost } from '../live/adHost.ts';
import { type MediaOrigin, startMediaOrigin } from '../live/mediaOrigin.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';
import { usePage } from './startConsole.ts';

export const apiKey = 'console-key';
/** Values in the reason why the second ad is skipped: its duration and that of the break. */
export const SKIP_DURATIONS = ['12.00', '10.00'] as const;

export type Stage = {
  readonly midroll: MidrollProcess;
  readonly origin: MediaOrigin;
  /** Manifest URLs of three assets of eight seconds. */
  readonly assets: readonly string[];
  readonly adUrl: string;
  /** A request to the admin API by another client. */
  api(method: string, path: string, body?: object, key?: string): Promise<Response>;
  /** Its page is that of the tests. */
  readonly context: BrowserContext;
  /** The origins of all requests of the browser, by the page that sent them. */
  readonly origins: { readonly page: Set<string>; readonly preview: Set<string> };
  /** Errors in the console of the browser. */
  readonly browserErrors: string[];
  close(): Promise<void>;
};

async function putMedia(origin: MediaOrigin): Promise<string[]> {
  const assets = ['one', 'two', 'three'].map((name) => makeVideo(origin.folder, name, { seconds: 8 }));
  const spots = [makeSpot(origin.folder, 'spot', 5), makeSpot(origin.folder, 'long', 12)];
  const paths = await Promise.all([...assets, ...spots]);
  return paths.slice(0, 3).map((path) => origin.url + path);
}

export async function openStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-console-'));
  const origin = await startMediaOrigin();
  const assets = await putMedia(origin);
  const adHost = await startAdHost();
  adHost.offer('/vast', () => [
    { id: 'fits', seconds: 5, url: `${origin.url}/spot.mp4` },
    { id: 'too-long', seconds: 12, url: `${origin.url}/long.mp4` },
  ]);
  const midroll = await startMidrollProcess({ dataDir, apiKey });
  const browser = await connectChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const origins = { page: new Set<string>(), preview: new Set<string>() };
  const browserErrors: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    const isPreview = request.frame().parentFrame() !== null;
    if (url.protocol.startsWith('http')) (isPreview ? origins.preview : origins.page).add(url.origin);
  });
  context.on('console', (message) => {
    // Players retry failed requests to the live port, and a channel that is not on air yet returns 503.
    const isLiveRequest =
      message.text().startsWith('Failed to load') && !message.location().url.startsWith(midroll.adminUrl);
    if (message.type() === 'error' && !isLiveRequest) browserErrors.push(message.text());
  });
  context.on('weberror', (error) => browserErrors.push(error.error().message));
  usePage(await context.newPage());
  return {
    midroll,
    origin,
    assets,
    adUrl: `${adHost.url}/vast?viewer=[SESSION_ID]`,
    context,
    origins,
    browserErrors,
    api: (method, path, body, key = apiKey) =>
      fetch(`${midroll.adminUrl}/api/v2${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    async close() {
      await browser.close();
      await midroll.close();
      await adHost.close();
      await origin.close();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
