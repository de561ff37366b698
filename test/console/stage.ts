// What the console is tried on: a Midroll of its own with films, an ad server whose second ad never fits, and a browser
// that notes whom it asks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { launchChromium } from '../browser/launchChromium.ts';
import { startAdHost } from '../live/adHost.ts';
import { makeFilm, makeSpot } from '../live/films.ts';
import { type MediaOrigin, startMediaOrigin } from '../live/mediaOrigin.ts';

export const apiKey = 'console-key';
/** What is named when the ad server's second ad is not shown: how long it is, and how long the break. */
export const WHY = ['12.00', '10.00'] as const;

export type Stage = {
  readonly midroll: MidrollProcess;
  readonly origin: MediaOrigin;
  /** Three films of eight seconds. */
  readonly films: readonly string[];
  readonly adUrl: string;
  /** What the console asks for, asked for by somebody else. */
  api(method: string, path: string, body?: object, key?: string): Promise<Response>;
  readonly context: BrowserContext;
  /** Origins of all requests of the browser, by the kind of page that made them. */
  readonly asked: { readonly page: Set<string>; readonly preview: Set<string> };
  /** What the browser complained of. */
  readonly complaints: string[];
  close(): Promise<void>;
};

async function putMedia(origin: MediaOrigin): Promise<string[]> {
  const films = ['one', 'two', 'three'].map((name) => makeFilm(origin.folder, name, { seconds: 8 }));
  const spots = [makeSpot(origin.folder, 'spot', 5), makeSpot(origin.folder, 'long', 12)];
  const paths = await Promise.all([...films, ...spots]);
  return paths.slice(0, 3).map((path) => origin.url + path);
}

export async function openStage(): Promise<Stage> {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-console-'));
  const origin = await startMediaOrigin();
  const films = await putMedia(origin);
  const adHost = await startAdHost();
  adHost.offer('/vast', () => [
    { id: 'fits', seconds: 5, url: `${origin.url}/spot.mp4` },
    { id: 'too-long', seconds: 12, url: `${origin.url}/long.mp4` },
  ]);
  const midroll = await startMidrollProcess({ dataDir, apiKey });
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const asked = { page: new Set<string>(), preview: new Set<string>() };
  const complaints: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    const isPreview = request.frame().parentFrame() !== null;
    if (url.protocol.startsWith('http')) (isPreview ? asked.preview : asked.page).add(url.origin);
  });
  context.on('console', (message) => {
    // What a player does not get it asks for again, and a channel that is not on air yet answers 503: that is between
    // them and the live port.
    const isTheirs =
      message.text().startsWith('Failed to load') && !message.location().url.startsWith(midroll.adminUrl);
    if (message.type() === 'error' && !isTheirs) complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  return {
    ...{ midroll, origin, films, adUrl: `${adHost.url}/vast?viewer=[SESSION_ID]`, context, asked, complaints },
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
