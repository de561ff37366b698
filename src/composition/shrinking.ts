// SPDX-License-Identifier: Apache-2.0
// Returns unused space of the SQLite file to the file system.
import type { Services } from './openServices.ts';
import type { Task } from './part.ts';

const RELEASE_INTERVAL_MS = 10_000;

const reasons = {
  large: 'rebuilding it would take too long at this size; see docs/operating.md',
  noSpace: 'the disk has no space for the copy that rebuilding requires',
} as const;

/** Called in one of the processes that share the file, before it serves requests. @returns the task that shrinks it */
export async function prepareShrinking({ sql, log, warn }: Services): Promise<Task[]> {
  const { shrinker } = sql;
  if (shrinker === undefined) return [];
  try {
    const state = await shrinker.prepare();
    if (state === 'rebuilt') log.info('database file rebuilt so that it can shrink');
    else if (state !== 'ready') log.warn(`database file cannot shrink: ${reasons[state]}`);
  } catch (error) {
    warn('rebuilding the database file failed; retrying at the next start', { error });
  }
  return [{ name: 'shrinking the database file', everyMs: RELEASE_INTERVAL_MS, run: shrinker.release }];
}
