// SPDX-License-Identifier: Apache-2.0
// A browser and the console on its own admin server, without a live port.
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect } from 'vitest';
import { readConsoleFiles } from '../../src/adapters/consoleFiles.ts';
import { connectChromium } from '../browser/connectChromium.ts';
import { type AdminTest, type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';

export type ConsoleTest = {
  readonly url: string;
  readonly key: string;
  readonly admin: AdminTest;
  /** A page that is not signed in. */
  newPage(): Promise<Page>;
  /** Signs in and opens a path. */
  open(page: Page, path: string): Promise<void>;
  /** A request by another client. */
  api<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
};

export async function startConsole(options: AdminTestOptions): Promise<ConsoleTest> {
  const folder = join(import.meta.dirname, '../../console/dist');
  const admin = await startAdmin({ consoleFiles: readConsoleFiles(folder), ...options });
  await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const base = `http://127.0.0.1:${(admin.app.server.address() as AddressInfo).port}`;
  const browser = await connectChromium();
  return {
    url: base,
    key: admin.key,
    admin,
    newPage: () => browser.newPage({ viewport: { width: 1280, height: 900 }, hasTouch: true }),
    async open(page, path) {
      await page.goto(base);
      await page.evaluate(`sessionStorage.setItem('midroll-key', '${admin.key}'); location.hash = '${path}'`);
      await page.reload();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    async api(method, path, body) {
      const [url, headers] = [`/api/v2${path}`, { 'x-api-key': admin.key }];
      const response = await admin.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
      expect([path, response.statusCode < 300 ? 'ok' : response.body]).toEqual([path, 'ok']);
      return response.json();
    },
    async remove(path) {
      const url = `/api/v2${path}`;
      const { statusCode } = await admin.app.inject({ method: 'DELETE', url, headers: { 'x-api-key': admin.key } });
      expect([path, statusCode]).toEqual([path, 204]);
    },
    async close() {
      await browser.close();
      await admin.close();
    },
  };
}

/** Holds back all requests with a method until `release` is called. */
export async function holdRequests(page: Page, method: string) {
  const routes: Route[] = [];
  let isOpen = false;
  await page.route('**/api/v2/**', (route) => {
    if (isOpen || route.request().method() !== method) return route.continue();
    routes.push(route);
  });
  return {
    count: () => routes.length,
    async release() {
      isOpen = true;
      await Promise.all(routes.map((route) => route.continue()));
    },
  };
}
