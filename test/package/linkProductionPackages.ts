// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText, root } from '../repositoryFiles.ts';

/** Links the packages that package.json declares for production, and no others, into a folder named node_modules. */
export function linkProductionPackages(folder: string): void {
  const { dependencies, optionalDependencies } = JSON.parse(readText('package.json'));
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, name));
  }
}
