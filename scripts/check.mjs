// The whole check: format, rooms, unused code, types, tests. Every part runs, so that one report shows all that is wrong.
import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

const parts = [
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
  ['types', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'],
  ['types of the console', 'node_modules/typescript/bin/tsc', '-p', 'console/tsconfig.json'],
];
const tests = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=./scripts/plainSummary.mjs'];

/** Runs a script with this very Node. */
const run = (args, stdio) =>
  new Promise((resolve) => {
    const output = [];
    const child = spawn(process.execPath, args, { stdio });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => output.push(data));
    child.on('close', (code) => resolve({ ok: code === 0, output: Buffer.concat(output).toString() }));
  });

let allOk = true;
for (const [name, ...args] of parts) {
  const { ok, output } = await run(args, ['ignore', 'pipe', 'pipe']);
  allOk &&= ok;
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (!ok) console.log(output);
}
const vitest = await run(tests, 'inherit');
if (!allOk) console.error('The tests are not all: see what is marked ✗ above them.');
process.exitCode = allOk && vitest.ok ? 0 : 1;
