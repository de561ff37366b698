// How many requests of a kind one client may make in a minute. Counted in this process alone: it bounds what a client can
// cost, and is no exact law.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';

const MINUTE = 60_000;
const MOST_KNOWN = 20_000;

const usualRefusal = (most: number): string => `At most ${most} such requests a minute are taken.`;

/**
 * @param refusal the message for who exceeds `most`
 * @returns counts a request of a client; @throws {AppError} TOO_MANY_REQUESTS with the seconds until the next minute
 * begins, when it was one too many
 */
export function createAllowance(
  most: number,
  now: () => number,
  refusal: (who: string) => string = () => usualRefusal(most),
): (who: string) => void {
  const known = new LRUCache<string, { since: number; count: number }>({ max: MOST_KNOWN });
  return (who) => {
    const at = now();
    let one = known.get(who);
    if (one === undefined || at - one.since >= MINUTE || at < one.since) {
      one = { since: at, count: 0 };
      known.set(who, one);
    }
    one.count += 1;
    if (one.count <= most) return;
    const retryAfter = Math.max(1, Math.ceil((one.since + MINUTE - at) / 1000));
    throw new AppError('TOO_MANY_REQUESTS', refusal(who), { retryAfter });
  };
}
