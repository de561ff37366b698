// SPDX-License-Identifier: Apache-2.0
// rx-player is published as about a hundred modules that import each other without file extensions, which no browser loads.
// They are bundled into one module, once for each version. The cache may be deleted at any time.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'vite';

const require = createRequire(import.meta.url);
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/midroll-players');

/** `version` of the nearest package.json above a file of the package. */
function versionOf(file: string): string {
  const folder = dirname(file);
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return versionOf(folder);
  return JSON.parse(readFileSync(manifest, 'utf8')).version as string;
}

async function bundle(entry: string, path: string): Promise<void> {
  const draft = `${path}-${randomUUID()}`;
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {
      outDir: draft,
      emptyOutDir: true,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: () => 'player.js' },
    },
  });
  await mkdir(CACHE, { recursive: true });
  await cp(join(draft, 'player.js'), `${draft}.js`);
  await rename(`${draft}.js`, path);
  await rm(draft, { recursive: true });
}

/** @returns the path of a module whose default export is the player */
export async function bundleRxPlayer(): Promise<string> {
  const main = require.resolve('rx-player');
  const path = join(CACHE, `rx-player-${versionOf(main)}.js`);
  if (!existsSync(path)) await bundle(main.replace('/commonjs/', '/es2017/'), path);
  return path;
}
