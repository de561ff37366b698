// SPDX-License-Identifier: Apache-2.0
// `midroll demo --cluster` as a process: nothing is left when it ends, however it ends.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../repositoryFiles.ts';

const program = join(root, 'dist/midroll.js');

type Listed = { readonly pid: number; readonly parent: number; readonly state: string; readonly name: string };
const processes = (): Listed[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .map(([pid, parent, state, name]) => ({ pid: Number(pid), parent: Number(parent), state: state!, name: name! }));

/** A process and what it has started. */
function treeOf(pid: number, listed = processes()): Listed[] {
  return listed.filter(({ parent }) => parent === pid).flatMap((each) => [each, ...treeOf(each.pid, listed)]);
}
const isRunning = ({ pid, name }: Listed): boolean =>
  processes().some((each) => each.pid === pid && each.name === name && !each.state.startsWith('Z'));

async function startDemo(): Promise<{ demo: ChildProcess; temporary: string; tree: Listed[] }> {
  const temporary = mkdtempSync(join(tmpdir(), 'midroll-demo-test-'));
  // The user of PostgreSQL has to reach its folder, if this test runs as root.
  chmodSync(temporary, 0o711);
  const env = { ...process.env, TMPDIR: temporary, DATA_DIR: '' };
  const demo = spawn(process.execPath, [program, 'demo', '--cluster'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    demo.kill('SIGTERM');
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  });
  let output = '';
  for (const stream of [demo.stdout!, demo.stderr!])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  // Then all members run.
  await expect.poll(() => demo.exitCode !== null || output.includes('Importing the videos')).toBe(true);
  expect(output).toContain('Importing the videos');
  return { demo, temporary, tree: treeOf(demo.pid!) };
}

test.each(['SIGKILL', 'SIGINT'] as const)('leaves no process and no data after %s', async (signal) => {
  const { demo, temporary, tree } = await startDemo();
  expect(tree.filter(({ name }) => /node|MainThread/.test(name)).length).toBeGreaterThanOrEqual(5);
  for (const name of ['postgres', 'nginx', /^(?:redis|valkey)-server$/])
    expect(tree.some((each) => new RegExp(name).test(each.name))).toBe(true);
  demo.kill(signal);
  await expect.poll(() => tree.filter(isRunning)).toEqual([]);
  await expect.poll(() => existsSync(temporary) && readdirSync(temporary)).toEqual([]);
});
