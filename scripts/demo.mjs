// SPDX-License-Identifier: Apache-2.0
// `npm run demo`: installs what is missing, then runs `midroll demo` in this process, so that signals reach it directly.
// Arguments are those of the command, for example `npm run demo -- --cluster`.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const line = process.argv.slice(2);
const what = line.includes('--cluster') ? 'demo-cluster' : 'demo';
const { status } = spawnSync(process.execPath, [join(folder, 'setup.mjs'), what], { stdio: 'inherit' });
if (status === 0) {
  const program = join(folder, '../dist/midroll.js');
  process.argv = [process.execPath, program, 'demo', ...line];
  await import(program);
} else process.exitCode = status ?? 1;
