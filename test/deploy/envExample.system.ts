// SPDX-License-Identifier: Apache-2.0
// .env.example, and the bundle started with it.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { writeExample } from '../../scripts/writeEnvExample.ts';
import { readConfig } from '../../src/config.ts';
import { composeVariables } from '../../src/settings/composeVariables.ts';
import { environment } from '../../src/settings/environment.ts';
import { scratchFolder } from '../opened.ts';
import { readText, root } from '../repositoryFiles.ts';
import { endProcess } from '../servers/endProcess.ts';

const example = readText('.env.example');
/** The example with every setting in force. */
const enabled = example.replaceAll(/^#(?=[A-Z_]+=)/gm, '');
const scratch = scratchFolder();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(scratch, 'test-'));
});

/** The settings keep the port and the folder of the test away from the file: the environment has precedence. */
async function startWith(file: string): Promise<{ adminUrl: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [`--env-file=${file}`, join(root, 'dist/main.js')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ADMIN_PORT: '0', LIVE_PORT: '0', DATA_DIR: folder },
  });
  onTestFinished(() => endProcess(child, 'SIGTERM'));
  let output = '';
  child.stderr!.on('data', (data) => {
    output += data;
  });
  while (child.exitCode === null) {
    const adminUrl = /administration (http\S+),/.exec(output)?.[1];
    if (adminUrl !== undefined) return { adminUrl, child };
    await sleep(50);
  }
  throw new Error(`Midroll did not start: ${output}`);
}

test('.env.example is up to date; "npm run env:example" writes it', () => {
  expect(example, 'run "npm run env:example"').toBe(writeExample());
});

test('everything in .env.example is commented out, and the values are the defaults', () => {
  expect(parseEnv(example)).toEqual({});
  const values = parseEnv(enabled);
  const documented = [...Object.keys(environment.properties), ...Object.keys(composeVariables)];
  expect(Object.keys(values).sort()).toEqual(documented.sort());
  expect(readConfig(values)).toEqual(readConfig({}));
});

test('Compose, systemd and shells read the values as Node does', async () => {
  for (const line of enabled.split('\n')) expect(line).toMatch(/^(#.*[^\\]|[A-Z_]+=[\w./:,@]*|)$/);
  const file = join(folder, 'settings');
  writeFileSync(file, enabled);
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `set -a; . "${file}"; env -0`], { env: {} });
  const variables = Object.fromEntries(stdout.split('\0').map((line) => line.split(/=(.*)/s).slice(0, 2)));
  expect(variables).toMatchObject(parseEnv(enabled));
});

test.each([
  ['as it is', example],
  ['with every setting in force', enabled],
])('the server starts with .env.example %s', async (_, text) => {
  const file = join(folder, '.env');
  writeFileSync(file, text);
  const { adminUrl, child } = await startWith(file);
  await expect.poll(async () => (await fetch(`${adminUrl}/ready`)).status).toBe(200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
