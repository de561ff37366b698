// SPDX-License-Identifier: Apache-2.0
// The states of an alert: ok → pending → firing → ok. An alert fires when the condition has held for the time of its rule, and
// resolves when it has been clear for a while. There is no state while it is ok.
import type { Millis } from '../../../time/units.ts';
import type { Judgement } from './judge.ts';
import { type AlertRule, delayMs, MINUTE_MS } from './rule.ts';

export type AlertState = {
  readonly phase: 'pending' | 'firing';
  /** Since when the condition holds. */
  readonly since: Millis;
  /** When it was last judged by data; accurate to SEEN_RESOLUTION_MS. */
  readonly seenAt: Millis;
  /** Since when it is clear. */
  readonly clearSince?: Millis;
  /** When its last event was made. */
  readonly reportedAt?: Millis;
};

export type Transition = {
  /** undefined: ok. */
  readonly state: AlertState | undefined;
  readonly change?: 'firing' | 'reminder' | 'resolved';
  /** True if the alert is resolved because there has been no data for a long time. */
  readonly isStale?: true;
};

/** Without data for so long, an alert is forgotten. Longer than the time between two breaks. */
const FORGOTTEN_AFTER_MS = 2 * 3_600_000;
/** How long the condition must be clear before the alert resolves; at most as long as it had to hold. */
const MAX_CLEAR_MS = 5 * MINUTE_MS;
const SEEN_RESOLUTION_MS = 5 * MINUTE_MS;

type Timing = Pick<AlertRule, 'kind' | 'forMinutes' | 'repeatMinutes'>;

const withoutClear = ({ clearSince: _, ...state }: AlertState): AlertState => state;

function whilePending(state: AlertState, level: Judgement['level'], rule: Timing, now: Millis): Transition {
  if (level === 'good') return { state: undefined };
  if (level === 'unknown') return { state: now - state.seenAt > FORGOTTEN_AFTER_MS ? undefined : state };
  const seen = { ...state, seenAt: now };
  if (level === 'near' || now - state.since < delayMs(rule)) return { state: seen };
  return { state: { ...seen, phase: 'firing', reportedAt: now }, change: 'firing' };
}

function whileFiring(state: AlertState, level: Judgement['level'], rule: Timing, now: Millis): Transition {
  const seen = level === 'unknown' ? state : { ...state, seenAt: now };
  const next =
    level === 'bad' ? withoutClear(seen) : level === 'good' ? { ...seen, clearSince: seen.clearSince ?? now } : seen;
  const isClear =
    next.clearSince !== undefined && level !== 'near' && now - next.clearSince >= Math.min(MAX_CLEAR_MS, delayMs(rule));
  if (isClear) return { state: undefined, change: 'resolved' };
  if (now - next.seenAt > FORGOTTEN_AFTER_MS) return { state: undefined, change: 'resolved', isStale: true };
  const { repeatMinutes } = rule;
  const isDue = repeatMinutes !== undefined && now - (next.reportedAt ?? next.since) >= repeatMinutes * MINUTE_MS;
  return isDue ? { state: { ...next, reportedAt: now }, change: 'reminder' } : { state: next };
}

export function nextState(
  state: AlertState | undefined,
  { level }: Pick<Judgement, 'level'>,
  rule: Timing,
  now: Millis,
): Transition {
  if (state?.phase === 'firing') return whileFiring(state, level, rule, now);
  if (state !== undefined) return whilePending(state, level, rule, now);
  if (level !== 'bad') return { state };
  return whilePending({ phase: 'pending', since: now, seenAt: now }, level, rule, now);
}

/** Whether a state differs so much from the stored one that it has to be stored. */
export function isChanged(stored: AlertState | undefined, next: AlertState | undefined): boolean {
  if (stored === undefined || next === undefined) return stored !== next;
  return (
    stored.phase !== next.phase ||
    stored.clearSince !== next.clearSince ||
    stored.reportedAt !== next.reportedAt ||
    next.seenAt - stored.seenAt >= SEEN_RESOLUTION_MS
  );
}
