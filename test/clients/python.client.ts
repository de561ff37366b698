// SPDX-License-Identifier: Apache-2.0
// examples/python-client with a client that is generated from the OpenAPI document: `npm run test:clients`. Not part of the check,
// because it needs Python with venv, and downloads the generator.
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { opened } from '../opened.ts';
import { root } from '../repositoryFiles.ts';
import { documentedVersion, startExampleServer } from './exampleServer.ts';

const generator = documentedVersion(/openapi-python-client==[\d.]+/);
const server = await opened(startExampleServer());

/** @returns why Python cannot be used */
function missing(folder: string): string | undefined {
  const venv = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { encoding: 'utf8' });
  if (venv.status !== 0) return `python3 -m venv does not work: ${venv.stderr ?? venv.error?.message}`;
  const pip = spawnSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', generator], { encoding: 'utf8' });
  return pip.status === 0 ? undefined : `pip cannot install ${generator}: ${pip.stderr}`;
}

test('a generated Python client compiles and runs the example', async (context) => {
  const { folder } = server;
  const reason = missing(folder);
  if (reason !== undefined) return context.skip(reason);
  const python = join(folder, 'venv/bin/python');
  const client = join(folder, 'midroll_client');
  const generate = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', client];
  const program = join(folder, 'venv/bin/openapi-python-client');
  const { status, stdout, stderr } = spawnSync(program, generate, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  // Media and manifests are omitted, whose content types the generator does not know; no operation may be missing otherwise.
  expect(stdout + stderr).not.toMatch(/Endpoint will not be generated|ERROR/);
  execFileSync(python, ['-m', 'compileall', '-q', client]);
  const env = { PATH: process.env.PATH, PYTHONPATH: folder };
  expect(await server.run(python, [join(root, 'examples/python-client/main.py')], env)).toEqual([
    0,
    [
      'Created playlist By Python once: True',
      'Removed its name; 1 item is left',
      'Timeout 1000 ms for https://ads.example.com/vast',
      'Found Python channel',
      'createChannel by ann@example.com: created',
      'patchChannel by ann@example.com: /adSource/timeoutMs',
      'Deleted: NOT_FOUND',
    ],
  ]);
});
