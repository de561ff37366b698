// SPDX-License-Identifier: Apache-2.0
// examples/python-client with a client that is generated from the OpenAPI document: `npm run test:clients`. Not part of the check,
// because it needs Python with venv, and downloads the generator.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminTest, startAdmin } from '../servers/adminServer.ts';

const root = join(import.meta.dirname, '../..');
/** The version that docs/clients.md names. */
const [generator] = /openapi-python-client==[\d.]+/.exec(readFileSync(join(root, 'docs/clients.md'), 'utf8'))!;
const folder = mkdtempSync(join(tmpdir(), 'midroll-python-'));
let admin: AdminTest;
beforeAll(async () => {
  admin = await startAdmin();
  await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await admin?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** @returns why Python cannot be used */
function missing(): string | undefined {
  const venv = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')], { encoding: 'utf8' });
  if (venv.status !== 0) return `python3 -m venv does not work: ${venv.stderr ?? venv.error?.message}`;
  const pip = spawnSync(join(folder, 'venv/bin/pip'), ['install', '--quiet', generator], { encoding: 'utf8' });
  return pip.status === 0 ? undefined : `pip cannot install ${generator}: ${pip.stderr}`;
}

test('a generated Python client compiles and runs the example', async (context) => {
  const reason = missing();
  if (reason !== undefined) return context.skip(reason);
  const url = `http://127.0.0.1:${(admin.app.server.address() as AddressInfo).port}`;
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text());
  const python = join(folder, 'venv/bin/python');
  const client = join(folder, 'midroll_client');
  const generate = ['generate', '--path', 'openapi.json', '--meta', 'none', '--output-path', client];
  const program = join(folder, 'venv/bin/openapi-python-client');
  const { status, stdout, stderr } = spawnSync(program, generate, { cwd: folder, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  // Media and manifests are omitted, whose content types the generator does not know; no operation may be missing otherwise.
  expect(stdout + stderr).not.toMatch(/Endpoint will not be generated|ERROR/);
  execFileSync(python, ['-m', 'compileall', '-q', client]);
  const env = { PATH: process.env.PATH, PYTHONPATH: folder, ADMIN_URL: url, API_KEY: admin.key };
  // The server is in this process, so waiting for the program must not block it.
  const example = spawn(python, [join(root, 'examples/python-client/main.py')], { env });
  let text = '';
  for (const stream of [example.stdout, example.stderr]) stream.on('data', (chunk) => (text += chunk));
  const code = await new Promise((done) => example.on('close', done));
  expect([code, text.trim().split('\n')]).toEqual([
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
