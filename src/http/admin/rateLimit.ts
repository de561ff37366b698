// Counts the requests of a tenant within a minute. Each process counts for itself.
import type { Millis } from '../../time/units.ts';

const WINDOW_MS = 60_000;

export type Allowance = {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** When the count starts anew. */
  readonly reset: Millis;
};

/** @param limit requests a minute, more than 0 */
export function createRateLimit(limit: number): (tenant: string, now: Millis) => Allowance {
  const windows = new Map<string, { count: number; reset: Millis }>();
  return (tenant, now) => {
    let window = windows.get(tenant);
    if (!window || now >= window.reset) {
      window = { count: 0, reset: (now + WINDOW_MS) as Millis };
      windows.set(tenant, window);
    }
    window.count += 1;
    const { count, reset } = window;
    return { isAllowed: count <= limit, remaining: Math.max(0, limit - count), reset };
  };
}
