// SPDX-License-Identifier: Apache-2.0
// Midroll in the test's process, on the test's clock. Tests of kills and restarts use a separate process (midroll.ts).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMidroll } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { TestClock } from '../clock/testClock.ts';
import { adminClient, logReader, type Midroll, testSettings } from './midroll.ts';

/** The configuration of a Midroll that a test starts. */
export function configOf(settings: Readonly<Record<string, string>>): Config {
  const read = readConfig({ ...testSettings, ...settings });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.config;
}

export async function startMidrollInProcess(
  clock: TestClock,
  settings: Readonly<Record<string, string>> = {},
): Promise<Midroll> {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-here-'));
  const config = configOf({ DATA_DIR: dataDir, ...settings });
  const log: string[] = [];
  const logTo = { write: (line: string) => void log.push(line) };
  const { adminUrl, liveUrl, close } = await startMidroll(config, undefined, { clock, logTo });
  return {
    adminUrl,
    liveUrl,
    ...adminClient(adminUrl),
    ...logReader(() => log.join('')),
    kill: () => Promise.reject(new Error('Midroll runs in the process of the test and cannot be killed.')),
    restart: () => Promise.reject(new Error('Midroll runs in the process of the test and cannot be restarted.')),
    async close() {
      await clock.inRealTime(close);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
