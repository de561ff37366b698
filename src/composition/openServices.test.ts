// SPDX-License-Identifier: Apache-2.0
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSystemClock } from '../adapters/systemClock.ts';
import { readConfig } from '../config.ts';
import { InvariantError } from '../invariant.ts';
import { openServices } from './openServices.ts';

test('logs an assertion that failed as an error, whatever the level of its message, and counts it once', async () => {
  const lines: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'midroll-'));
  const read = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
  if (!read.ok) throw new Error(read.problems.join());
  const services = await openServices(read.config, {
    clock: createSystemClock(),
    logTo: { write: (line) => void lines.push(line) },
  });
  const defect = new Error('reading failed', { cause: new InvariantError('Defect in Midroll: a window has a span') });
  services.log.warn({ err: defect }, 'task failed');
  services.log.warn({ err: new Error('connect ECONNREFUSED') }, 'task failed');
  expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual([50, 40]);
  expect(await services.metrics.metrics()).toContain('midroll_invariant_failures_total 1');
  await services.close();
  await rm(folder, { recursive: true });
});
