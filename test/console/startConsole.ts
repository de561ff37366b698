// SPDX-License-Identifier: Apache-2.0
// A browser and the console on its own admin server, without a live port.
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { afterEach, beforeEach, expect } from 'vitest';
import { readConsoleFiles } from '../../src/adapters/consoleFiles.ts';
import { connectChromium, type OwnBrowser } from '../browser/connectChromium.ts';
import { opened } from '../opened.ts';
import { type AdminTest, type AdminTestOptions, startAdmin } from '../servers/adminServer.ts';
import { axeViolations } from './axe.ts';
import { savedNotice } from './locators.ts';

export type ConsoleTest = {
  readonly url: string;
  readonly key: string;
  readonly admin: AdminTest;
  /** A page that is not signed in. */
  newPage(): Promise<Page>;
  /** Signs in and opens a path, by default on the page of the test. */
  open(path: string, on?: Page, key?: string): Promise<void>;
  /** A request by another client. */
  api<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<T>;
  remove(path: string): Promise<void>;
  close(): Promise<void>;
};

export async function startConsole(options: AdminTestOptions = {}): Promise<ConsoleTest> {
  const folder = join(import.meta.dirname, '../../console/dist');
  const admin = await startAdmin({ consoleFiles: readConsoleFiles(folder), ...options });
  const base = await admin.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await connectChromium();
  return {
    url: base,
    key: admin.key,
    admin,
    newPage: () => browser.newPage({ viewport: { width: 1280, height: 900 }, hasTouch: true }),
    async open(path, on = page, key = admin.key) {
      await on.goto(base);
      await on.evaluate(`sessionStorage.setItem('midroll-key', '${key}'); location.hash = '${path}'`);
      await on.reload();
      await on.getByRole('heading', { level: 1 }).waitFor();
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

/** The page of the test that runs. */
export let page: Page;
/** Makes a page that of the tests. */
export function usePage(next: Page): void {
  page = next;
}
/** With an API key, on the page that asks for it. */
export async function signIn(key: string): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await button('Sign in').click();
}
export const button = (name: string | RegExp, within: Pick<Page, 'getByRole'> = page) =>
  within.getByRole('button', { name, exact: true });
/** Saves, and waits until that is confirmed. */
export async function saveChanges(): Promise<void> {
  await button('Save').click();
  await savedNotice(page).waitFor();
}
export const dialog = () => page.getByRole('dialog');
export const hash = () => page.evaluate<string>('location.hash');
export const expectAccessible = async (where = '') => expect([where, await axeViolations(page)]).toEqual([where, []]);

/** The console that the tests of a file share. Each test has a page of its own. */
export async function fileConsole(starting = startConsole()): Promise<ConsoleTest> {
  const desk = await opened(starting);
  beforeEach(async () => {
    usePage(await desk.newPage());
  });
  afterEach(() => page.close());
  return desk;
}

/** A browser for a console that something else serves. */
export async function openBrowser(): Promise<OwnBrowser> {
  const browser = await connectChromium();
  usePage(await browser.newPage({ viewport: { width: 1280, height: 900 } }));
  return browser;
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
