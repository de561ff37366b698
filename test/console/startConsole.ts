// The console on an administrative interface of its own, without anything on air, and a browser before it.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { readConsoleFiles } from '../../src/adapters/consoleFiles.ts';
import { launchChromium } from '../browser/launchChromium.ts';
import { type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';

export type ConsoleTest = {
  readonly url: string;
  readonly key: string;
  /** Not signed in. */
  newPage(): Promise<Page>;
  /** Signs in, and leads to a page. */
  open(page: Page, path: string): Promise<void>;
  /** What somebody else does. */
  api<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T>;
  close(): Promise<void>;
};

export async function startConsole(options: AdminTestOptions): Promise<ConsoleTest> {
  const folder = join(import.meta.dirname, '../../console/dist');
  const admin = await startAdmin({ consoleFiles: readConsoleFiles(folder), ...options });
  await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const base = `http://127.0.0.1:${(admin.app.server.address() as AddressInfo).port}`;
  const browser = await launchChromium();
  return {
    ...{ url: base, key: admin.key },
    async newPage() {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, hasTouch: true });
      page.setDefaultTimeout(300_000);
      return page;
    },
    async open(page, path) {
      await page.goto(base);
      await page.evaluate(`sessionStorage.setItem('midroll-key', '${admin.key}'); location.hash = '${path}'`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async api(method, path, body) {
      const [url, headers] = [`/api/v2${path}`, { 'x-api-key': admin.key }];
      const answer = await admin.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
      expect([path, answer.statusCode < 300 ? 'well' : answer.body]).toEqual([path, 'well']);
      return answer.json();
    },
    async close() {
      await browser.close();
      await admin.close();
    },
  };
}

/** Keeps requests of a method on their way until they are let go. */
export async function holdRequests(page: Page, method: string) {
  const routes: Route[] = [];
  let isOpen = false;
  await page.route('**/api/v2/**', (route) => {
    if (isOpen || route.request().method() !== method) return route.continue();
    routes.push(route);
  });
  return {
    count: () => routes.length,
    async letGo() {
      isOpen = true;
      await Promise.all(routes.map((route) => route.continue()));
    },
  };
}
