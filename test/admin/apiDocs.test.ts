// SPDX-License-Identifier: Apache-2.0
// Runs every command of docs/api.md in order, in one shell, and compares the output with the page.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AdminTest, startAdmin } from '../servers/adminServer.ts';

let admin: AdminTest;
beforeAll(async () => {
  admin = await startAdmin({ rateLimit: 200 });
  await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => admin.close());

const fences = /^```(sh|json|text)\n([\s\S]*?)^```$/gm;
const SEPARATOR = '----- end of a command -----';

/** In expected values, `…` matches any text. */
const matcherOf = (expected: unknown): unknown => {
  if (expected === '…') return expect.stringMatching(/./);
  if (Array.isArray(expected)) return expected.map(matcherOf);
  if (typeof expected !== 'object' || expected === null) return expected;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, matcherOf(value)])),
  );
};

test('the commands in docs/api.md have the output that the page shows', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8');
  const blocks = [...text.matchAll(fences)].map(([, kind, content]) => ({ kind: kind!, content: content! }));
  const commands = blocks.filter(({ kind }) => kind === 'sh');
  expect(commands.length).toBeGreaterThan(10);
  const script = commands.map(({ content }) => `${content}\necho; echo '${SEPARATOR}'\n`).join('');
  const { port } = admin.app.server.address() as { port: number };
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], {
    env: { PATH: process.env.PATH, BASE_URL: `http://127.0.0.1:${port}`, KEY: admin.key },
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (data) => {
    output += data;
  });
  shell.stderr.on('data', (data) => {
    errors += data;
  });
  const code = await new Promise((resolve) => shell.on('close', resolve));
  expect([code, errors.replaceAll(/curl: \(22\).*\n/g, '')]).toEqual([0, '']);
  const outputs = output.split(`\n${SEPARATOR}\n`).map((one) => one.trim());
  let command = -1;
  for (const { kind, content } of blocks) {
    if (kind === 'sh') command += 1;
    else if (kind === 'text') expect(outputs[command]).toBe(content.trim());
    else expect(JSON.parse(outputs[command]!)).toEqual(matcherOf(JSON.parse(content)));
  }
});
