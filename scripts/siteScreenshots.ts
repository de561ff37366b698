// SPDX-License-Identifier: Apache-2.0
// Part of `npm run screenshots`: writes four pages of the documentation site into docs/site, light and dark. The site must be
// built (`npm run site`).
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { closeServer, listenFrom } from '../demo/listen.ts';
import { readTarget, sendFile } from '../demo/serveFolder.ts';
import { launchChromium } from '../test/browser/launchChromium.ts';

const built = join(import.meta.dirname, '../site/dist');
const folder = join(import.meta.dirname, '../docs/site');
const pages = ['index', 'installing', 'architecture', 'reference'];

const server = createServer((request, response) => {
  const { path } = readTarget(request);
  return sendFile(request, response, built, path);
});
const url = await listenFrom(server, 0);
const browser = await launchChromium();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
const session = await page.context().newCDPSession(page);
for (const colorScheme of ['light', 'dark'] as const) {
  mkdirSync(join(folder, colorScheme), { recursive: true });
  for (const name of pages) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${url}/${name}.html`, { waitUntil: 'networkidle' });
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 70 });
    writeFileSync(join(folder, colorScheme, `${name}.webp`), Buffer.from(data, 'base64'));
  }
}
console.log('site');
await browser.close();
await closeServer(server);
