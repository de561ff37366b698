// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '../../../database.ts';
import type { Timers } from '../../../time/clock.ts';
import { millis } from '../../../time/units.ts';
import { systemTimers } from '../../systemClock.ts';
import { postgresNotices } from './postgresNotices.ts';

/** A server that accepts connections and closes each of them, as a proxy does whose database is away. */
async function startClosing(): Promise<{ readonly url: string; accepted(): number }> {
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `postgres://midroll@127.0.0.1:${port}/midroll`, accepted: () => accepted };
}

test('after a connection that is closed while it is opened, one attempt follows', async () => {
  const server = await startClosing();
  const { db, close } = await openSqlite(':memory:');
  const waiting = new Set<() => void>();
  const timers: Timers = {
    ...systemTimers,
    after(_, work) {
      waiting.add(work);
      return { cancel: () => void waiting.delete(work) };
    },
  };
  const source = postgresNotices({ url: server.url, db, connectMs: 5000, now: () => millis(0), timers });
  source.start({ notice: () => {}, lost: () => {} });
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await expect.poll(() => waiting.size).toBe(1);
    // What else the end of the connection leads to.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([server.accepted(), waiting.size]).toEqual([attempt, 1]);
    const [next] = waiting;
    waiting.clear();
    next!();
  }
  await source.stop();
  await close();
});
