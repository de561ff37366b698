// SPDX-License-Identifier: Apache-2.0
// The table of error types in docs/api.md is complete.
import { expect, test } from 'vitest';
import { readPage } from '../../site/markdownPages.ts';
import { errorTypes } from '../../src/errors.ts';

const row = /^\| `(\w+)` \| (\d{3}) \| `(\w+Error)` \| .+ \|$/gm;

test('docs/api.md lists every type of error with its status and name', () => {
  const listed = [...readPage('docs/api.md').matchAll(row)].map(([, type, code, name]) => ({
    type,
    code: Number(code),
    name,
  }));
  expect(listed).toEqual(errorTypes);
});

test('types are in upper case, except the one that existing clients expect; each has its own name', () => {
  expect(errorTypes.filter(({ type }) => !/^[A-Z]+(_[A-Z]+)*$/.test(type))).toEqual([
    { type: 'Forbidden', code: 403, name: 'ForbiddenError' },
  ]);
  for (const field of ['type', 'code', 'name'] as const)
    expect(new Set(errorTypes.map((one) => one[field])).size).toBe(errorTypes.length);
});
