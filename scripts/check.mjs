// SPDX-License-Identifier: Apache-2.0
// The check: format, architecture, layout, dead code, types, tests; with --quick, only the tests that take seconds. The static
// parts run in parallel with the tests. Every part runs, so that one report shows all faults.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const isQuick = process.argv.includes('--quick');
const parts = [
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '-p', 'console/tsconfig.json'],
  ['format', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  [
    'architecture',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    ...['--config', '.dependency-cruiser.cjs', 'src', 'console/src', 'test'],
  ],
  ['purity', 'scripts/checkPurity.mjs'],
  ['layout', 'scripts/checkLayout.mjs'],
  ['licenses', 'scripts/checkLicenses.mjs'],
  ['dead code', 'node_modules/knip/bin/knip.js'],
];
const tests = [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...(isQuick ? ['--project=pure', '--project=golden', '--project=stores'] : []),
  // Tests of the whole system mostly wait; the quick tests mostly compute.
  `--maxWorkers=${availableParallelism() + (isQuick ? 1 : availableParallelism())}`,
  `--reporter=${isQuick ? 'dot' : 'default'}`,
  '--reporter=./scripts/plainSummary.mjs',
];

/** Runs a script with the current Node. */
const run = (args, stdio) =>
  new Promise((resolve) => {
    const output = [];
    const child = spawn(process.execPath, args, { stdio });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });

/** Prints the result of each part as soon as it ends. @returns the names of those that failed */
async function runParts() {
  const failed = [];
  for (const [name, ...args] of parts) {
    const { ok, output } = await run(args, ['ignore', 'pipe', 'pipe']);
    console.log(`${ok ? '✓' : '✗'} ${name}`);
    if (ok) continue;
    console.log(output);
    failed.push(name);
  }
  return failed;
}

const [failed, vitest] = await Promise.all([runParts(), run(tests, 'inherit')]);
if (failed.length > 0) console.error(`Other parts that failed (see ✗ above): ${failed.join(', ')}.`);
process.exitCode = vitest.ok && failed.length === 0 ? 0 : 1;
