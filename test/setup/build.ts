// SPDX-License-Identifier: Apache-2.0
// Before tests that start servers or open the console: builds both, unless the builds are newer than their sources.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

export function setup(): void {
  for (const script of ['buildServer.mjs', 'buildConsole.mjs']) {
    execFileSync(process.execPath, [join(root, 'scripts', script), '--missing'], { cwd: root, stdio: 'inherit' });
  }
}
