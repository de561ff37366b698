// Whether requests should come to this process. What it depends on is tried, not assumed; a look is shared by all who ask
// within a second, so that asking often costs nothing.
import { type Timers, within } from '../time/clock.ts';

export type Check = {
  readonly name: string;
  /** @returns why what it looks at does not work, or undefined */
  readonly run: () => Promise<string | undefined>;
};

type ReadinessDeps = {
  readonly checks: readonly Check[];
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** Milliseconds. */
const SHARED = 1000;
const PATIENCE = 3000;

/** @returns a function that says why the process is not ready, or undefined */
export function createReadiness({ checks, timers, warn }: ReadinessDeps): () => Promise<string | undefined> {
  let last: { readonly at: number; readonly reasons: Promise<readonly string[]> } | undefined;
  let told = '';

  async function check({ name, run }: Check): Promise<string[]> {
    const tried = run().then(
      (reason) => (reason === undefined ? [] : [reason]),
      (error: unknown) => [error instanceof Error ? error.message : `${name} failed`],
    );
    return (await within(timers, PATIENCE, tried)) ?? [`${name} does not answer within ${PATIENCE / 1000} s`];
  }

  async function look(): Promise<readonly string[]> {
    const reasons = (await Promise.all(checks.map(check))).flat();
    const line = reasons.join(' ');
    if (line !== told) warn(line === '' ? 'ready again' : 'not ready', { reasons });
    told = line;
    return reasons;
  }

  return async () => {
    if (last === undefined || timers.elapsed() - last.at >= SHARED) last = { at: timers.elapsed(), reasons: look() };
    const reasons = await last.reasons;
    return reasons.length === 0 ? undefined : reasons.map((one) => one.replace(/\.$/, '')).join('; ');
  };
}
