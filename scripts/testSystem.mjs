// SPDX-License-Identifier: Apache-2.0
// `npm run test:system`: what needs real time, browsers, encoders, and processes that are killed. A file that fails runs once
// more, alone, at the end; the summary lists each file that did. Exits with 1 if a file failed twice, and with 2 if nothing
// failed but the machine was too busy to judge how smoothly players played.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const folder = join(root, 'node_modules/.cache/midroll-system');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const TIERS = ['processes', 'console', 'players', 'cluster'];
/** How an error begins that a test throws instead of judging (test/browser/machineLoad.ts). */
const NOT_JUDGED = 'Not judged: ';

/**
 * Runs tests.
 * @param name of the record of the run
 * @returns each file with its counts and the first lines of its failures
 */
function run(name, args) {
  const file = join(folder, `${name}.json`);
  const program = ['node_modules/vitest/vitest.mjs', 'run', ...TIERS.map((tier) => `--project=${tier}`), ...args];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { status } = spawnSync(process.execPath, [...program, ...reporters, '--reporter=./scripts/plainSummary.mjs'], {
    stdio: 'inherit',
  });
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  const files = testResults.map(({ name: path, status: outcome, message, assertionResults }) => ({
    path: relative(root, path),
    passed: assertionResults.filter((each) => each.status === 'passed').length,
    failures: assertionResults.flatMap(({ failureMessages }) => failureMessages.map(firstLine)),
    failed: outcome === 'failed',
    message: firstLine(message),
  }));
  // An error outside of tests, or none of them was found.
  const isBroken = status !== 0 && files.every(({ failed }) => !failed);
  return { files, isBroken };
}
const firstLine = (text) => text.split('\n')[0].replace(/^\w*Error: /, '');
const reasonsOf = ({ failures, message }) => (failures.length > 0 ? failures : [message]);
const isUnjudged = (file) => reasonsOf(file).every((reason) => reason.startsWith(NOT_JUDGED));
const list = (title, files) => {
  if (files.length === 0) return;
  console.log(title);
  for (const file of files)
    console.log(
      `  ${file.path}\n${reasonsOf(file)
        .map((reason) => `    ${reason}\n`)
        .join('')}`,
    );
};

const first = run('first', process.argv.slice(2));
const again = first.files.filter(({ failed }) => failed);
if (again.length > 0) console.log(`Running ${again.length} files once more, one after the other.`);
const second = again.map(({ path }, index) => run(`second-${index}`, [path]));
const failed = second.flatMap(({ files }) => files).filter((file) => file.failed);
const unjudged = failed.filter(isUnjudged);
const red = failed.filter((file) => !isUnjudged(file));

list('Files that needed a second run, and why:', again);
list('Failed twice:', red);
list('Not judged, because the machine was busy. Run these files again on an idle one:', unjudged);
const isBroken = [first, ...second].some((one) => one.isBroken);
if (isBroken) console.log('Errors outside of tests: see above.');
const kept = first.files.filter((file) => !file.failed);
const passed = [...kept, ...second.flatMap(({ files }) => files)].reduce((sum, file) => sum + file.passed, 0);
const count = failed.reduce((sum, file) => sum + Math.max(1, file.failures.length), 0) + Number(isBroken);
console.log(`${passed} passed, ${count} failed`);
process.exitCode = red.length > 0 || isBroken ? 1 : unjudged.length > 0 ? 2 : 0;
