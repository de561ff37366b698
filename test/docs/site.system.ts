// SPDX-License-Identifier: Apache-2.0
// The documentation site: links, completeness, and what a browser requests and reports.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTarget, sendFile } from '../../demo/serveFolder.ts';
import { markdownPages, pathOnSite } from '../../site/markdownPages.ts';
import { connectChromium } from '../browser/connectChromium.ts';
import { axeViolations } from '../console/axe.ts';
import { scratchFolder } from '../opened.ts';
import { serveInTest } from '../serve.ts';
import { buildSite } from './builtSite.ts';

const folder = scratchFolder();
const base = '/handbook/';
const site = await buildSite(join(folder, base), base);

test('no link leads nowhere, with or without an anchor', () => {
  expect(site.deadLinks()).toEqual([]);
});

test('every Markdown page is built and linked from the sidebar', () => {
  const sidebar = site.html('api.html').match(/<aside class="VPSidebar[\s\S]*?<\/aside>/)?.[0] ?? '';
  const missing = markdownPages()
    .map((page) => pathOnSite(page).replace(/\.md$/, '.html'))
    .filter((page) => !site.pages.includes(page) || !sidebar.includes(`href="${base}${page}"`));
  expect(missing).toEqual([]);
});

test('no page loads anything from another host', () => {
  const loaded = /<(?:script|link|img|iframe|video|source)\b[^>]*? (?:src|href)="(?:https?:)?\/\/[^"]*"/g;
  expect(site.pages.flatMap((page) => site.html(page).match(loaded) ?? [])).toEqual([]);
});

test('the pages open in a browser without errors, requests to other hosts and accessibility faults', async () => {
  const host = await serveInTest((request, response) => sendFile(request, response, folder, readTarget(request).path));
  const browser = await connectChromium();
  const faults: string[] = [];
  try {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(`${host}${base}`)) faults.push(request.url());
    });
    for (const name of ['index.html', 'tour.html', 'console.html', 'operating.html', 'reference.html']) {
      await page.goto(`${host}${base}${name}`, { waitUntil: 'networkidle' });
      const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(excess) > 0) faults.push(`${name} is ${excess} pixels too wide for a phone`);
      for (const violation of await axeViolations(page)) faults.push(`${name} ${violation}`);
    }
  } finally {
    await browser.close();
  }
  expect(faults).toEqual([]);
});
