// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { withoutHeaders } from './withoutHeaders.ts';

const source = { headers: { 'X-Partner': 'hunter2hunter2', 'x-short': 'ab', 'content-type': 'application/json' } };
const exchange = {
  headers: { 'x-partner': 'hunter2hunter2', 'x-short': 'ab', 'content-type': 'application/json', 'user-agent': 'abc' },
  curl: "curl -H 'x-partner: hunter2hunter2' -H 'content-type: application/json'",
  document: { text: 'echo hunter2hunter2', isTruncated: false },
  ms: 3,
};

test('without the scope manage, values of the headers of a channel are masked wherever they are repeated', () => {
  for (const scope of ['read', 'operate'] as const)
    expect(withoutHeaders({ exchanges: [exchange] }, { scope }, source)).toEqual({
      exchanges: [
        {
          headers: { 'x-partner': '***', 'x-short': '***', 'content-type': 'application/json', 'user-agent': 'abc' },
          curl: "curl -H 'x-partner: ***' -H 'content-type: application/json'",
          document: { text: 'echo ***', isTruncated: false },
          ms: 3,
        },
      ],
    });
  expect(withoutHeaders(exchange, { scope: 'manage' }, source)).toBe(exchange);
});

test('of a trace, all headers are masked: those of the channel may have changed since', () => {
  const trace = { breaks: [{ request: { headers: { 'x-old': 'earlier-secret', 'content-type': 'text/plain' } } }] };
  expect(withoutHeaders(trace, { scope: 'read' })).toEqual({
    breaks: [{ request: { headers: { 'x-old': '***', 'content-type': 'text/plain' } } }],
  });
});
