// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../test/opened.ts';
import { writeWhole } from './writeWhole.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolderInTest();
});

test('writes and replaces a file, and creates its folder', async () => {
  const path = join(folder, 'a/b/c.json');
  await writeWhole(path, 'first');
  await writeWhole(path, new Uint8Array(3).fill(65));
  expect(readFileSync(path, 'utf8')).toBe('AAA');
  expect(readdirSync(join(folder, 'a/b'))).toEqual(['c.json']);
});

test('leaves no draft when it fails', async () => {
  mkdirSync(join(folder, 'c.json/occupied'), { recursive: true });
  await expect(writeWhole(join(folder, 'c.json'), 'text')).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(['c.json']);
});
