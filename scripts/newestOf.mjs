// SPDX-License-Identifier: Apache-2.0
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** When a file, or the newest file of a folder, last changed; ignores build output. */
export function newestOf(path) {
  const found = statSync(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const inner = readdirSync(path).filter((name) => !name.startsWith('dist'));
  return Math.max(0, ...inner.map((name) => newestOf(join(path, name))));
}
