// SPDX-License-Identifier: Apache-2.0
// The pure modules depend on their arguments only: no clock, no random numbers, no I/O, nothing asynchronous.
// .dependency-cruiser.cjs rejects imports of node:*; this script rejects the globals and `async`.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { pureModules } = createRequire(import.meta.url)('./architecture.cjs');

const modules = Object.keys(pureModules);
const impure =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bfetch\(|\basync\b|\bawait\b|\bperformance\b|\bprocess\.|\bsetTimeout\b/;

const withoutComments = (line) => line.replace(/^\s*(\/\/|\*|\/\*).*$/, '').replace(/\/\/.*$/, '');
const found = modules.flatMap((module) => {
  const folder = join('src', module);
  let files = [];
  try {
    files = readdirSync(folder, { recursive: true });
  } catch {
    return [];
  }
  return files
    .filter((file) => file.endsWith('.ts') && !/\.(test|system)\.ts$/.test(file))
    .flatMap((file) => {
      const path = join(folder, file);
      return readFileSync(path, 'utf8')
        .split('\n')
        .map((line, index) => ({ where: `${path}:${index + 1}`, line: withoutComments(line) }))
        .filter(({ line }) => impure.test(line));
    });
});

for (const { where, line } of found) console.error(`${where} is in a pure module but contains: ${line.trim()}`);
if (found.length > 0) process.exit(1);
console.log('pure modules are pure');
