// SPDX-License-Identifier: Apache-2.0
import { createServer, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { closeServer, listenFrom } from '../../../demo/listen.ts';
import { systemTimers } from '../systemClock.ts';
import { createEgressGuard } from './egressGuard.ts';
import { createReadingsOrigin, READINGS_PER_HOST } from './readingsOrigin.ts';

test('many channels of one host are read at once', async () => {
  const waiting: ServerResponse[] = [];
  // Responds when all requests have arrived.
  const server = createServer((_, response) => {
    waiting.push(response);
    if (waiting.length === READINGS_PER_HOST) for (const each of waiting) each.end('#EXTM3U');
  });
  const url = await listenFrom(server, 0);
  const origin = createReadingsOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }), systemTimers);
  const reads = Array.from({ length: READINGS_PER_HOST }, (_, index) =>
    origin.read(`${url}/${index}.m3u8`, { timeoutMs: 600_000 }),
  );
  expect((await Promise.all(reads)).every(({ ok }) => ok)).toBe(true);
  await closeServer(server);
});
