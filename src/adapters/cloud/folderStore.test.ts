// SPDX-License-Identifier: Apache-2.0
// A file system that hangs: named pipes, because opening one waits for its other end.
import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../../test/opened.ts';
import { within } from '../../time/clock.ts';
import { systemTimers } from '../systemClock.ts';
import { openFolderStore } from './folderStore.ts';

let root: string;
beforeEach(() => {
  root = scratchFolderInTest();
});

test('requests that hang do not keep the process from reading other files', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `pipe-${index}`);
  const pipes = names.map((name) => join(root, name));
  execFileSync('mkfifo', pipes);
  writeFileSync(join(root, 'other'), 'bytes');
  const store = openFolderStore(root);
  const hanging = names.map((name) => store.get(name));
  const read = await within(systemTimers, 20_000, readFile(join(root, 'other'), 'utf8'));
  const ends = pipes.map((path) => openSync(path, 'r+'));
  for (const path of pipes) rmSync(path);
  for (const end of ends) closeSync(end);
  await Promise.all(hanging);
  expect(read).toBe('bytes');
});
