// SPDX-License-Identifier: Apache-2.0
// Builds the console into console/dist: `npm run build`. With --missing, builds only when it is absent or older than
// its sources, as `npm start`, `npm run demo` and `npm test` do. Without vite, prints a note and continues.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newestOf } from './newestOf.mjs';
import { putInPlace } from './putInPlace.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'console/dist');
const vite = join(root, 'node_modules/vite/bin/vite.js');

const newest = () => Math.max(...['console', 'docs/runbooks'].map((folder) => newestOf(join(root, folder))));

export function isConsoleFresh() {
  const index = join(built, 'index.html');
  return existsSync(index) && statSync(index).mtimeMs >= newest();
}

/** Builds into a temporary folder first, since a server may be using the old one. @returns the output of vite on failure */
export function buildConsole() {
  const folder = `${built}-${process.pid}`;
  const args = [vite, 'build', join(root, 'console'), '--outDir', folder, '--logLevel', 'warn'];
  // Tests set another one, with which libraries are larger.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: root, env });
  if (status === 0) {
    putInPlace(folder, built);
    return { ok: true, output: '' };
  }
  rmSync(folder, { recursive: true, force: true });
  return { ok: false, output: `${stdout}${stderr}` };
}

function run(isOnlyWhenMissing) {
  if (isOnlyWhenMissing && isConsoleFresh()) return;
  if (!existsSync(vite)) {
    const state = existsSync(built) ? 'is older than its sources' : 'is not built';
    console.error(`The console ${state}, and vite is not installed: run "npm ci && npm run build" to build it.`);
    if (!isOnlyWhenMissing) process.exitCode = 1;
    return;
  }
  console.error('Building the console …');
  const { ok, output } = buildConsole();
  if (ok) return;
  console.error(`The console could not be built:\n${output}`);
  if (!isOnlyWhenMissing) process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run(process.argv.includes('--missing'));
