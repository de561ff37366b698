import { setTimeout as pause } from 'node:timers/promises';
import { Agent, buildConnector, request } from 'undici';
import { expect, test } from 'vitest';
import { startMisbehavingServer } from '../servers/misbehavingServer.ts';
import { createVirtualClock } from './virtualClock.ts';

test.each(['/ok', '/reset'])('stands still while a connection for %s is on its way', async (path) => {
  const server = await startMisbehavingServer();
  const clock = createVirtualClock();
  // What a kernel does that has no time: the connection comes, but not within a few turns of the event loop.
  const connectAtOnce = buildConnector({});
  const connect: buildConnector.connector = (options, done) => void pause(50).then(() => connectAtOnce(options, done));
  const dispatcher = new Agent({ connect });
  try {
    let turned = 0;
    clock.timers.after(20_000, () => {
      turned = clock.timers.elapsed();
    });
    const asked = request(`${server.url}${path}`, { dispatcher }).then(({ body }) => body.dump());
    await asked.catch((error: { code?: string }) => expect(error.code).toBe('ECONNRESET'));
    expect(turned).toBe(0);
  } finally {
    await dispatcher.destroy();
    await clock.stop();
    await server.close();
  }
});
