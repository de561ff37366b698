// SPDX-License-Identifier: Apache-2.0
// Runs every command of docs/api.md in order, in one shell, and compares the output with the page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPage } from '../../site/markdownPages.ts';
import { installTools } from '../docs/installTools.ts';
import { runBlocks } from '../docs/runBlocks.ts';
import { type AdminTest, startAdmin } from '../servers/adminServer.ts';

const page = 'docs/api.md';
const scratch = mkdtempSync(join(tmpdir(), 'midroll-api-docs-'));
let admin: AdminTest;
beforeAll(async () => {
  admin = await startAdmin({ rateLimit: 200 });
  await admin.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await admin.close();
  rmSync(scratch, { recursive: true, force: true });
});

test('the commands in docs/api.md have the output that the page shows', async () => {
  const { port } = admin.app.server.address() as { port: number };
  const env = {
    ...installTools(scratch),
    BASE_URL: `http://127.0.0.1:${port}`,
    KEY: admin.key,
    DATA_DIR: admin.dataDir,
  };
  const outputs = await runBlocks(page, readPage(page), { cwd: scratch, env });
  expect(outputs.length).toBeGreaterThan(10);
});
