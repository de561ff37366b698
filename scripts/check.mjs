// SPDX-License-Identifier: Apache-2.0
// The check: format, architecture, layout, dead code, types and the tests of `npm test`. The static parts run in parallel with
// the tests. Every part runs, so that one report shows all faults. With --quick, only the tests of the tier `pure` that the
// change reaches run: the change is what is not committed, or else the last commit.
import { execFileSync, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const isQuick = process.argv.includes('--quick');
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--shard='));
// The native compiler checks types in a quarter of the time; dependency-cruiser needs the interface of the other one.
const types = ['node_modules/typescript-native/bin/tsc', '--singleThreaded', '-p'];
const parts = [
  // The types of the console need it.
  ['types of the API', 'scripts/writeApiTypes.mjs'],
  ['types', ...types, 'tsconfig.json'],
  ['types of the console', ...types, 'console/tsconfig.json'],
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
  ['release', 'scripts/release.mjs', '--dry-run'],
];

const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** The revision that a quick check compares with. */
const base = () => (git('status', '--porcelain') === '' ? 'HEAD~1' : 'HEAD');

const tests = [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...(isQuick ? [`--changed=${base()}`, '--passWithNoTests', '--reporter=dot'] : ['--reporter=default']),
  '--project=pure',
  ...(isQuick ? [] : ['--project=whole', '--project=canary']),
  `--maxWorkers=${availableParallelism() + (isQuick ? 0 : 1)}`,
  '--reporter=./scripts/plainSummary.mjs',
  ...options,
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
