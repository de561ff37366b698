// How often one may ask in a minute. Counted in this process alone: it keeps one player from wearing out the store, and is
// no law.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';

const MINUTE = 60_000;
const MOST_KNOWN = 20_000;

/** @returns notes that somebody asks; @throws AppError when it was too often */
export function createAllowance(most: number, now: () => number): (who: string) => void {
  const known = new LRUCache<string, { since: number; count: number }>({ max: MOST_KNOWN });
  return (who) => {
    const at = now();
    let one = known.get(who);
    if (one === undefined || at - one.since >= MINUTE || at < one.since) {
      one = { since: at, count: 0 };
      known.set(who, one);
    }
    one.count += 1;
    if (one.count > most) throw new AppError('TOO_MANY_REQUESTS', `At most ${most} such requests a minute are taken.`);
  };
}
