// SPDX-License-Identifier: Apache-2.0
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Agent, buildConnector, request } from 'undici';
import { expect, test } from 'vitest';
import { startMisbehavingServer } from '../servers/misbehavingServer.ts';
import { createVirtualClock } from './virtualClock.ts';

test.each(['/ok', '/reset'])('does not advance while a connection for %s is being opened', async (path) => {
  const server = await startMisbehavingServer();
  const clock = createVirtualClock();
  // A busy kernel: the connection opens, but not within a few turns of the event loop.
  const connectNow = buildConnector({});
  const connect: buildConnector.connector = (options, done) => void pause(50).then(() => connectNow(options, done));
  const dispatcher = new Agent({ connect });
  try {
    let advancedTo = 0;
    clock.timers.after(20_000, () => {
      advancedTo = clock.timers.elapsed();
    });
    const response = request(`${server.url}${path}`, { dispatcher }).then(({ body }) => body.dump());
    await response.catch((error: { code?: string }) => expect(error.code).toBe('ECONNRESET'));
    expect(advancedTo).toBe(0);
  } finally {
    await dispatcher.destroy();
    await clock.stop();
    await server.close();
  }
});

test('does not wait for replies of a thread that has ended', async () => {
  const clock = createVirtualClock();
  const thread = new Worker("require('node:worker_threads').parentPort.on('message', () => {})", { eval: true });
  thread.postMessage({ id: 1 });
  const slept = clock.sleep(1000);
  await thread.terminate();
  thread.postMessage({ id: 2 });
  await slept;
  await clock.stop();
});

test('is no faster than the system while something is done in real time', async () => {
  const clock = createVirtualClock();
  const begun = performance.now();
  const far = clock.sleep(3_600_000);
  await clock.inRealTime(() => pause(60));
  expect(clock.timers.elapsed()).toBeLessThanOrEqual(performance.now() - begun);
  await far;
  await clock.stop();
});
