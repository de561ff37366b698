// The whole check: format, rooms, unused code, types, tests; with --quick only the tests that take seconds. The static
// parts run beside the tests. Every part runs, so that one report shows all that is wrong.
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
    'rooms',
    'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    '--config',
    '.dependency-cruiser.cjs',
    'src',
    'console/src',
  ],
  ['purity', 'scripts/checkPurity.mjs'],
  ['unused', 'node_modules/knip/bin/knip.js'],
];
const tests = [
  'node_modules/vitest/vitest.mjs',
  'run',
  ...(isQuick ? ['--project=pure', '--project=golden', '--project=stores'] : []),
  // Most of the time of the whole tests is waiting; the quick ones compute.
  `--maxWorkers=${availableParallelism() * (isQuick ? 1 : 2)}`,
  `--reporter=${isQuick ? 'dot' : 'default'}`,
  '--reporter=./scripts/plainSummary.mjs',
];

/** Runs a script with this very Node. */
const run = (args, stdio) =>
  new Promise((resolve) => {
    const output = [];
    const child = spawn(process.execPath, args, { stdio });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });

/** Says at once how each part ended. @returns the names of those that failed */
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
if (failed.length > 0) console.error(`Besides the tests, these parts failed; see ✗ above: ${failed.join(', ')}.`);
process.exitCode = vitest.ok && failed.length === 0 ? 0 : 1;
