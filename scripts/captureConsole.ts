// SPDX-License-Identifier: Apache-2.0
// Writes images of the console into docs/console: light and dark, desktop and phone. SCREENSHOT_FOLDER changes the folder.
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const folder = process.env.SCREENSHOT_FOLDER ?? join(import.meta.dirname, '../docs/console');
export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof sizes;

/** @param name `NAME`, or `FOLDER/NAME` @param untilReady may scroll; the page starts at its top */
export async function captureConsole(
  page: Page,
  name: string,
  untilReady: (size: Size) => Promise<unknown>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const size of ['desktop', 'phone'] as const) {
    await page.setViewportSize(sizes[size]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate('scrollTo(0, 0)');
      await untilReady(size);
      // Charts are redrawn in the colours of the theme.
      await sleep(400);
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
      const path = join(folder, dirname(name), colorScheme);
      mkdirSync(path, { recursive: true });
      writeFileSync(join(path, `${basename(name)}-${size}.webp`), Buffer.from(data, 'base64'));
    }
  }
  await session.detach();
  console.log(name);
}
