// SPDX-License-Identifier: Apache-2.0
// Writes images of the console into docs/console: every page in light colours on a desktop, the pages that the documentation shows
// large also in dark colours and on a phone. SCREENSHOT_FOLDER changes the folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from '../test/browser/launchChromium.ts';

const folder = process.env.SCREENSHOT_FOLDER ?? join(import.meta.dirname, '../docs/console');
export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;
type Variant = { readonly size: Size; readonly colorScheme: 'light' | 'dark' };

const shownLarge = new Set(['channels', 'channel', 'live/live-channel']);
const desktop: Variant = { size: 'desktop', colorScheme: 'light' };
const large: readonly Variant[] = [
  desktop,
  { size: 'desktop', colorScheme: 'dark' },
  { size: 'phone', colorScheme: 'light' },
];

type Clip = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What a part of `npm run screenshots` has started; ended after it, the last one first. */
export const stops: (() => unknown)[] = [];

export async function takeScreenshots(part: () => Promise<void>): Promise<void> {
  try {
    await part();
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** Fills the key into the page of the console that asks for it. */
export async function signIn(page: Page, apiKey: string): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' });
}

/** A browser with the console, before it is signed in. */
export async function openConsole(adminUrl: string) {
  const browser = await launchChromium();
  stops.push(() => browser.close());
  const page = await browser.newPage();
  await page.goto(adminUrl);
  return {
    page,
    /** Waits for a text on the page at a path. */
    async open(path: string, text: string): Promise<void> {
      await page.setViewportSize(sizes.desktop);
      await page.goto(`${adminUrl}/#${path}`);
      await page.getByText(text).first().waitFor();
    },
  };
}

/** @param clip of the whole page; default: what is in the viewport */
export async function writeWebp(page: Page, file: string, clip?: Clip): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 70,
    ...(clip && { clip: { ...clip, scale: 1 }, captureBeyondViewport: true }),
  });
  await session.detach();
  writeFileSync(file, Buffer.from(data, 'base64'));
}

/** @param name `NAME`, or `FOLDER/NAME` @param untilReady may scroll; the page starts at its top */
export async function captureConsole(
  page: Page,
  name: string,
  untilReady: (size: Size) => Promise<unknown>,
): Promise<void> {
  for (const { size, colorScheme } of shownLarge.has(name) ? large : [desktop]) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme });
    await page.evaluate('scrollTo(0, 0)');
    await untilReady(size);
    // Charts are redrawn in the colours of the theme.
    await sleep(400);
    const path = join(folder, dirname(name), colorScheme);
    mkdirSync(path, { recursive: true });
    await writeWebp(page, join(path, `${basename(name)}-${size}.webp`));
  }
  console.log(name);
}
