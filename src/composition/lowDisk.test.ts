// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { naming } from '../../test/naming.ts';
import { createLowDisk } from './lowDisk.ts';

test('reports a disk that is nearly full, until it has space again', async () => {
  let free = 100 * 2 ** 20;
  const disk = createLowDisk('/data', async () => free);
  expect(disk.reason()).toBeUndefined();
  await disk.measure();
  expect(disk.reason()).toEqual(naming('DATA_DIR', '100 MiB'));
  free = 2 ** 40;
  await disk.measure();
  expect(disk.reason()).toBeUndefined();
});

test('measures a real disk', async () => {
  const disk = createLowDisk(tmpdir());
  await disk.measure();
  expect(disk.reason()).toBeUndefined();
});
