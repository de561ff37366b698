// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createEventStreamParser, reconnectAfter } from './parseEventStream.ts';

const text =
  'retry: 3000\n: connected\n\nid: 7\nevent: alert\ndata: {"a":1}\n\n: heartbeat\n\nid: 8\ndata: x\ndata: y\n\n';

test('reads events from pieces of any length, without comments', () => {
  for (let length = 1; length <= text.length; length += 1) {
    const parse = createEventStreamParser();
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g'))!;
    expect(pieces.flatMap(parse)).toEqual([
      { id: '7', data: '{"a":1}' },
      { id: '8', data: 'x\ny' },
    ]);
  }
});

test('reconnects less often after each failure, at least once a minute', () => {
  expect([0, 1, 2, 20].map(reconnectAfter)).toEqual([1000, 2000, 4000, 60_000]);
});
