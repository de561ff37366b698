// SPDX-License-Identifier: Apache-2.0
// The size of the console, and how it is served.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readConsoleFiles } from '../../src/adapters/consoleFiles.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';

const folder = join(import.meta.dirname, '../../console/dist');
const assets = join(folder, 'assets');
const isPlayer = (name: string): boolean => /^open(Hls|Shaka)-/.test(name);
const admin = await opened(startAdmin({ consoleFiles: readConsoleFiles(folder) }));

const get = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  admin.app.inject({ method: 'GET', url, headers });

test('all pages together have less than 150 KB of gzipped JavaScript, without the players', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  expect(scripts.filter(isPlayer)).toHaveLength(2);
  const sizes = scripts
    .filter((name) => !isPlayer(name))
    .map((name) => gzipSync(readFileSync(join(assets, name))).length);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(150_000);
});

test('the frame of the preview loads no page', () => {
  const text = (name: string) => readFileSync(join(assets, name), 'utf8');
  const loads = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [, other] of text(name).matchAll(/(?:from|import\()\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      loads(other!, seen);
    return seen;
  };
  const [, entry] = /src="\.\/assets\/([^"]+)"/.exec(readFileSync(join(folder, 'preview.html'), 'utf8'))!;
  const [, page] = /src="\.\/assets\/([^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8'))!;
  const loaded = [...loads(entry!)];
  expect(loaded.filter(isPlayer)).toHaveLength(2);
  expect(loaded).not.toContain(page);
});

test('its HTML refers only to its own files and contains no inline scripts or styles', () => {
  for (const name of ['index.html', 'preview.html']) {
    const text = readFileSync(join(folder, name), 'utf8');
    for (const [, url] of text.matchAll(/(?:src|href)="([^"]+)"/g)) expect(url).toMatch(/^(\.\/assets\/[\w.-]+|docs)$/);
    expect(text).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/);
  }
});

test('the page is not cached and its files are immutable; the policies allow only its own origin and the live port', async () => {
  const page = await get('/');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  const policy = String(page.headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("connect-src 'self' http://127.0.0.1:8081;");
  expect(policy).not.toMatch(/unsafe|\*|https?:(?!\/\/127)/);
  const [, script] = /src="\.(\/assets\/[^"]+)"/.exec(page.body)!;
  const file = await get(script!, { 'accept-encoding': 'br, gzip' });
  expect(file.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  });
  expect(gunzipSync(file.rawPayload).toString()).toBe((await get(script!)).body);
  expect((await get(script!, { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding']).toBeUndefined();
  expect((await admin.app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(200);
});

test('the preview is sandboxed wherever it is opened', async () => {
  const { headers } = await get('/preview.html');
  expect(headers['content-security-policy']).toMatch(
    /script-src 'self';.*frame-ancestors 'self'; sandbox allow-scripts$/,
  );
});

test.each(['/assets/none.js', '/assets/../index.html', '/assets/..%2findex.html', '/assets/', '/index.html'])(
  '%s is 404',
  async (path) => {
    const { statusCode, headers } = await get(path);
    expect(statusCode).toBe(404);
    expect(headers['cache-control']).toBe('no-store');
  },
);

test('returns 503 with the build command when the console is not built', async () => {
  const unbuilt = await startAdmin();
  const { statusCode, body } = await unbuilt.app.inject({ method: 'GET', url: '/' });
  expect(statusCode).toBe(503);
  expect(body).toContain('npm run build');
  await unbuilt.close();
  expect(readConsoleFiles(join(folder, 'nowhere')).size).toBe(0);
});
