// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { probeFolder } from './probeFolder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'midroll-probe-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('processes with the same process id can check one folder at the same time', async () => {
  const reasons = await Promise.all(Array.from({ length: 20 }, () => probeFolder(folder)));
  expect(reasons).toEqual(Array(20).fill(undefined));
  expect(readdirSync(folder)).toEqual([]);
});

test('a missing folder is a reason', async () => {
  expect(await probeFolder(join(folder, 'missing'))).toContain('DATA_DIR');
});
