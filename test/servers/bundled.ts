// SPDX-License-Identifier: Apache-2.0
// Bundles a program for a test, so that it starts without a TypeScript loader, in a folder from which packages resolve.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export type Bundled = { readonly file: string; remove(): void };

/** @param source the path of a TypeScript or JavaScript file */
export function bundleProgram(source: string): Bundled {
  const folder = join(root, 'node_modules/.cache', `midroll-program-${randomUUID()}`);
  execFileSync(process.execPath, [join(root, 'scripts/buildServer.mjs'), '--program', source, folder], { cwd: root });
  return { file: join(folder, 'program.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
