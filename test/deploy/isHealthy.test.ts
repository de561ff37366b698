// SPDX-License-Identifier: Apache-2.0
// The health check of the image, against servers that respond as Midroll does.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Started, startServer } from '../../demo/listen.ts';
import { root } from '../repositoryFiles.ts';

const program = join(root, 'deploy/container/isHealthy.mjs');
const servers: Started[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(status: number): Promise<string> {
  const server = await startServer(
    ({ url }, response) => response.writeHead(url === '/health' ? status : 503).end(),
    20_000,
  );
  servers.push(server);
  return new URL(server.url).port;
}
const run = (env: Record<string, string>): Promise<number> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [program], { env });
    child.on('close', (code) => resolve(code ?? -1));
  });

test('a container is healthy while both ports respond to /health, even if it is not ready', async () => {
  const [ADMIN_PORT, LIVE_PORT] = [await listen(200), await listen(200)];
  expect(await run({ ADMIN_PORT, LIVE_PORT })).toBe(0);
});

test.each([0, 1])('a container is unhealthy if port %i fails', async (failing) => {
  const ports = [await listen(200), await listen(200)];
  ports[failing] = await listen(500);
  expect(await run({ ADMIN_PORT: ports[0]!, LIVE_PORT: ports[1]! })).toBe(1);
  await servers.pop()!.close();
  expect(await run({ ADMIN_PORT: ports[0]!, LIVE_PORT: ports[1]! })).toBe(1);
});

test('a worker is healthy while its one port responds', async () => {
  expect(await run({ ROLE: 'worker', WORKER_PORT: await listen(200) })).toBe(0);
  expect(await run({ ROLE: 'worker', WORKER_PORT: await listen(500) })).toBe(1);
});
