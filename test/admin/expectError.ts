// SPDX-License-Identifier: Apache-2.0
// The shape of all error responses.
import { expect } from 'vitest';
import type { Reply } from './client.ts';

export function expectError(reply: Reply, status: number, type: string) {
  expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(/\}\n$/)]);
  expect(reply.json).toMatchObject({
    type,
    code: status,
    message: expect.any(String),
    name: expect.stringMatching(/Error$/),
  });
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.headers['x-request-id']).toBeTruthy();
}
