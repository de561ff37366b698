// Whether the store of sessions responds, judged by the calls that are made to it anyway. Manifests of known viewers do not
// wait for a store that is away: what is known of them is served.
import { AppError } from '../../errors.ts';
import { type Timers, within } from '../../time/clock.ts';

export type StoreHealth = {
  /** Makes a call and notes how it goes. */
  track<Value>(call: () => Promise<Value>): Promise<Value>;
  /** The last call failed, or one has been waiting for long and none has been answered since it was made. */
  isUnavailable(): boolean;
  /** Why a call failed within the last seconds, in the words of the store: it may read, and have no room to write. */
  failureReason(): string | undefined;
  /** Milliseconds for which it has responded without a gap. */
  availableFor(): number;
  /** What `work` resolves to, if it does so within `ms` milliseconds and the store is not away; `work` itself goes on. */
  whenAvailable<Value>(ms: number, work: () => Promise<Value>): Promise<Value | undefined>;
};

/** Milliseconds after which a call that is not answered counts as a sign that the store is away. */
export const RESPONSE_TIMEOUT_MS = 500;
/** Milliseconds between two lines about a store that fails: a full disk reads, and fails to write, by turns. */
const QUIET = 10_000;
/** Milliseconds for which it is known why a call failed. */
const REMEMBERED = 10_000;

/** @param log reports that the store stopped responding, and that it responds again */
export function createStoreHealth(
  timers: Timers,
  log: (message: string, facts: Record<string, unknown>) => void,
): StoreHealth {
  /** When each call that is under way was made, oldest first. */
  const waiting = new Map<symbol, number>();
  let answeredAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let failure: { readonly reason: string; readonly at: number } | undefined;
  let awaySince: number | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let isLogged = false;
  let respondsSince = timers.elapsed();
  let probe: { readonly madeAt: number; isOver: boolean } | undefined;

  function isUnavailable(): boolean {
    if (hasFailed) return true;
    const [oldest] = waiting.values();
    return oldest !== undefined && oldest >= answeredAt && timers.elapsed() - oldest > RESPONSE_TIMEOUT_MS;
  }

  function note(error?: unknown): void {
    if (error !== undefined) {
      awaySince ??= timers.elapsed();
      if (error instanceof AppError) failure = { reason: error.message, at: timers.elapsed() };
      if (!hasFailed && timers.elapsed() - loggedAt >= QUIET) {
        loggedAt = timers.elapsed();
        isLogged = true;
        log('the database does not respond: known viewers are served from memory', { error });
      }
      hasFailed = true;
      return;
    }
    const wasAway = isUnavailable();
    answeredAt = timers.elapsed();
    hasFailed = false;
    if (wasAway) respondsSince = answeredAt;
    if (isLogged) log('the database responds again', { awayMs: Math.round(answeredAt - (awaySince ?? answeredAt)) });
    isLogged = false;
    awaySince = undefined;
  }

  /** While the store is away one call at a time finds out whether it still is; nothing waits for it. */
  function attempt(work: () => Promise<unknown>): void {
    const isEarly = probe !== undefined && timers.elapsed() - probe.madeAt < RESPONSE_TIMEOUT_MS;
    if (isEarly || probe?.isOver === false) return;
    const mine = { madeAt: timers.elapsed(), isOver: false };
    probe = mine;
    const end = () => {
      mine.isOver = true;
    };
    work().then(end, end);
  }

  return {
    isUnavailable,
    failureReason: () =>
      failure !== undefined && timers.elapsed() - failure.at < REMEMBERED ? failure.reason : undefined,
    availableFor: () => (isUnavailable() ? 0 : timers.elapsed() - respondsSince),
    async track(call) {
      const mark = Symbol();
      waiting.set(mark, timers.elapsed());
      try {
        const value = await call();
        waiting.delete(mark);
        note();
        return value;
      } catch (error) {
        waiting.delete(mark);
        note(error);
        throw error;
      }
    },
    async whenAvailable(ms, work) {
      if (!isUnavailable()) return within(timers, ms, work());
      attempt(work);
      return undefined;
    },
  };
}
