// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { scratchFolderInTest } from '../../test/opened.ts';
import { createSystemClock } from '../adapters/systemClock.ts';
import { readConfig } from '../config.ts';
import { InvariantError } from '../invariant.ts';
import type { Timers } from '../time/clock.ts';
import { createQuietWarnings, openServices } from './openServices.ts';

test.each([
  ['warn', [50, 40]],
  ['error', [50]],
  ['silent', []],
] as const)('with LOG_LEVEL=%s, an assertion that failed is an error and counted once', async (level, levels) => {
  const lines: string[] = [];
  const folder = scratchFolderInTest();
  const read = readConfig({ DATA_DIR: folder, LOG_LEVEL: level });
  if (!read.ok) throw new Error(read.problems.join());
  const services = await openServices(read.config, {
    clock: createSystemClock(),
    logTo: { write: (line) => void lines.push(line) },
  });
  const defect = new Error('reading failed', { cause: new InvariantError('Defect in Midroll: a window has a span') });
  services.log.warn({ err: defect }, 'task failed');
  services.log.warn({ err: new Error('connect ECONNREFUSED') }, 'task failed');
  expect(lines.map((line) => (JSON.parse(line) as { level: number }).level)).toEqual(levels);
  expect(await services.metrics.metrics()).toContain('midroll_invariant_failures_total 1');
  await services.close();
});

test('repeated warnings are counted, and written at growing intervals', () => {
  let now = 0;
  const lines: string[] = [];
  const warn = createQuietWarnings(
    (message, { channelId, repeated = 0 }) => lines.push(`${now / 1000} ${message} ${channelId} ${repeated}`),
    { elapsed: () => now } as Timers,
  );
  for (; now < 100_000; now += 1000) warn('failed', { channelId: 'a', error: now });
  warn('failed', { channelId: 'b' });
  expect(lines).toEqual(['0 failed a 0', '10 failed a 9', '30 failed a 19', '70 failed a 39', '100 failed b 0']);
  now = 1_000_000;
  warn('failed', { channelId: 'a' });
  expect(lines.at(-1)).toBe('1000 failed a 29');
});
