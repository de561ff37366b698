// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { creativeFaults, vastErrorOfFault } from './creative.ts';

it('docs/ads.md lists every fault of a creative with its VAST error code', async () => {
  const text = await readFile(new URL('../../../docs/ads.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z_]+)` \| (\d{3}) \|/gm)].map(([, fault, code]) => [fault, Number(code)]);
  expect(rows).toEqual(creativeFaults.map((fault) => [fault, vastErrorOfFault(fault)]));
});
