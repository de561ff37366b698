// The database file gives back what it does not need any more.
import type { Ground } from './openGround.ts';
import { type Chore, repeatedly } from './repeatedly.ts';

const EVERY = 10_000;

const consequences = {
  large: 'it is so large that making it able to would take long: docs/operating.md says how to',
  noSpace: 'the disk has no room for the copy that making it able to takes',
} as const;

/** For one process of those that share the file, before it serves anybody. */
export async function startShrinking({ sql, timers, log, warn }: Ground): Promise<Chore[]> {
  const { shrinker } = sql;
  if (shrinker === undefined) return [];
  try {
    const state = await shrinker.prepare();
    if (state === 'rebuilt') log.info('the database file was rebuilt once, so that it can become shorter');
    else if (state !== 'ready') log.warn(`the database file does not become shorter: ${consequences[state]}`);
  } catch (error) {
    warn('the database file could not be rebuilt; it is tried at the next start', { error });
  }
  return [repeatedly(timers, 'giving space of the database file back', EVERY, shrinker.release, warn)];
}
