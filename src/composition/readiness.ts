// SPDX-License-Identifier: Apache-2.0
// Whether this process should receive requests. Dependencies are checked by using them; requests within a second share one
// check, so that frequent polling is cheap.
import { type Timers, within } from '../time/clock.ts';

export type Check = {
  readonly name: string;
  /** @returns the reason if the dependency does not work */
  readonly run: () => Promise<string | undefined>;
};

type ReadinessDeps = {
  readonly checks: readonly Check[];
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

const CHECK_SHARED_MS = 1000;
const CHECK_TIMEOUT_MS = 3000;

/** `reason` is public; `error` is only logged. */
type Failure = { readonly reason: string; readonly error?: unknown };

/** @returns a function that returns why the process is not ready, or undefined if it is */
export function createReadiness({ checks, timers, warn }: ReadinessDeps): () => Promise<string | undefined> {
  let last: { readonly at: number; readonly failures: Promise<readonly Failure[]> } | undefined;
  let logged = '';

  async function check({ name, run }: Check): Promise<Failure[]> {
    const checked = run().then(
      (reason) => (reason === undefined ? [] : [{ reason }]),
      (error: unknown) => [{ reason: error instanceof Error ? error.message : `${name} failed`, error }],
    );
    const timedOut = { reason: `${name} timed out after ${CHECK_TIMEOUT_MS / 1000} s` };
    return (await within(timers, CHECK_TIMEOUT_MS, checked)) ?? [timedOut];
  }

  async function checkAll(): Promise<readonly Failure[]> {
    const failures = (await Promise.all(checks.map(check))).flat();
    const reasons = failures.map(({ reason }) => reason);
    const line = reasons.join(' ');
    const { error } = failures.find((failure) => failure.error !== undefined) ?? {};
    if (line !== logged) warn(line === '' ? 'ready again' : 'not ready', { reasons, error });
    logged = line;
    return failures;
  }

  return async () => {
    if (last === undefined || timers.elapsed() - last.at >= CHECK_SHARED_MS)
      last = { at: timers.elapsed(), failures: checkAll() };
    const failures = await last.failures;
    return failures.length === 0 ? undefined : failures.map(({ reason }) => reason.replace(/\.$/, '')).join('; ');
  };
}
