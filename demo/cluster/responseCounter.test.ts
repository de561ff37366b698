// SPDX-License-Identifier: Apache-2.0
import { createSocket } from 'node:dgram';
import { expect, onTestFinished, test } from 'vitest';
import { respondedBy, SHOWN_SECONDS, startResponseCounter } from './responseCounter.ts';

test.each([
  ['one node', '127.0.0.1:8113 200', '127.0.0.1:8113'],
  ['the second of two', '127.0.0.1:8113, 127.0.0.1:8115 200', '127.0.0.1:8115'],
  ['an error of the node', '127.0.0.1:8113 404', '127.0.0.1:8113'],
  ['no node: all have failed', '127.0.0.1:8113, 127.0.0.1:8115 502', undefined],
  ['no node: nginx itself, or its cache', '- 200', undefined],
])('a response comes from %s', (_, text, node) => {
  expect(respondedBy(`<190>Nov 25 18:00:00 host nginx: ${text}`)).toBe(node);
});

test('counts the responses of each node per second, and forgets them', async () => {
  let now = 1_000_000_000;
  const counter = await startResponseCounter(() => now);
  const socket = createSocket('udp4');
  onTestFinished(() => {
    socket.close();
    counter.close();
  });
  const send = (text: string) => socket.send(`<190>Nov 25 18:00:00 host nginx: ${text}`, counter.port, '127.0.0.1');
  const last = (address: string) => counter.perSecond(address).slice(-2);
  send('127.0.0.1:1 200');
  send('127.0.0.1:2 200');
  send('127.0.0.1:2 302');
  await expect
    .poll(() => [last('127.0.0.1:1'), last('127.0.0.1:2')])
    .toEqual([
      [0, 1],
      [0, 2],
    ]);
  now += 1000;
  expect(last('127.0.0.1:2')).toEqual([2, 0]);
  now += SHOWN_SECONDS * 1000;
  expect(counter.perSecond('127.0.0.1:2')).toEqual(Array(SHOWN_SECONDS).fill(0));
});
