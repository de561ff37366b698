// SPDX-License-Identifier: Apache-2.0
// A process that is started before its database and its session store waits for each of them, and logs the server that it waits for.

import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openedInTest, scratchFolder } from '../opened.ts';
import { endProcess } from '../servers/endProcess.ts';
import { startPostgres } from '../servers/startPostgres.ts';
import { startRedis } from '../servers/startRedis.ts';

const root = join(import.meta.dirname, '../..');
const scratch = scratchFolder();

/** @returns what the process has written to both outputs so far */
function startServer(settings: Readonly<Record<string, string>>): () => string {
  let output = '';
  const child = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: mkdtempSync(join(scratch, 'data-')),
      ADMIN_PORT: '0',
      LIVE_PORT: '0',
      DRAIN_SECONDS: '0',
      ...settings,
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  onTestFinished(() => endProcess(child, 'SIGTERM'));
  return () => output;
}

test('waits for PostgreSQL and then for Redis', async () => {
  const [postgres, redis] = await Promise.all([
    openedInTest(startPostgres(['-c', 'fsync=off'])),
    openedInTest(startRedis()),
  ]);
  await Promise.all([postgres.kill(), redis.kill()]);
  const url = new URL(postgres.url);
  url.password = 'hidden-password';
  const output = startServer({ DATABASE_URL: url.href, REDIS_URL: redis.url, ROLE: 'serve' });
  const waiting = (store: string) =>
    output()
      .split('\n')
      .filter((line) => line.includes(`"waiting for the ${store}"`))
      .map((line) => JSON.parse(line));

  await expect.poll(() => waiting('database')).not.toEqual([]);
  expect(waiting('database')[0]).toMatchObject({ level: 40, host: url.host, waitedSeconds: 0 });
  expect(waiting('session store')).toEqual([]);
  await postgres.restart();
  await expect.poll(() => waiting('session store')).not.toEqual([]);
  expect(waiting('session store')[0]).toMatchObject({ level: 40, host: `127.0.0.1:${redis.port}` });
  await redis.restart();

  const address = /listening: administration (\S+),/;
  await expect.poll(output).toMatch(address);
  expect((await fetch(`${address.exec(output())![1]}/ready`)).status).toBe(200);
  expect(output()).not.toContain('hidden-password');
});
