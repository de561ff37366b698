// SPDX-License-Identifier: Apache-2.0
// Bundles a program for a test, so that it starts without a TypeScript loader, in a folder from which packages resolve.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export type Bundled = { readonly file: string; remove(): void };

/** @param source the path of a TypeScript or JavaScript file */
export function bundleProgram(source: string): Bundled {
  const folder = join(root, 'node_modules/.cache', `midroll-program-${randomUUID()}`);
  const dist = join(folder, 'dist');
  mkdirSync(dist, { recursive: true });
  // The product reads its version from the folder above its own.
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
  execFileSync(process.execPath, [join(root, 'scripts/buildServer.mjs'), '--program', source, dist], { cwd: root });
  return { file: join(dist, 'program.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
