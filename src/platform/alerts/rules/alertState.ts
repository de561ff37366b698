// SPDX-License-Identifier: Apache-2.0
// The states of an alert: ok → pending → firing → ok. An alert fires when the condition has held for the time of its rule, and
// resolves when it has been clear for a while. There is no state while it is ok.
import type { Millis } from '../../../time/units.ts';
import type { Judgement } from './judge.ts';
import { type AlertRule, delayMs, MINUTE_MS } from './rule.ts';

type Seen = {
  /** Since when the condition holds. */
  readonly since: Millis;
  /** When it was last judged by data; accurate to SEEN_RESOLUTION_MS. */
  readonly seenAt: Millis;
};

type Pending = Seen & { readonly phase: 'pending' };
type Firing = Seen & {
  readonly phase: 'firing';
  /** Since when it is clear. */
  readonly clearSince?: Millis;
  /** When its last event was made. */
  readonly reportedAt: Millis;
  /** Nothing was sent, because it was silenced. */
  readonly isHeldBack?: true;
  /** The last value, and since when that is known. */
  readonly last?: { readonly value: number; readonly at: Millis };
};

export type AlertState = Pending | Firing;

/** What people have said about an alert. */
export type Hearing = { readonly isSilenced?: boolean; readonly isAcknowledged?: boolean };

export type Transition = {
  /** undefined: ok. */
  readonly state: AlertState | undefined;
  readonly change?: 'firing' | 'reminder' | 'resolved';
  /** True if the alert is resolved because there has been no data for a long time. */
  readonly isStale?: true;
  /** The change is recorded and not sent. */
  readonly isSilent?: true;
};

/** Without data for so long, an alert is forgotten. Longer than the time between two breaks. */
const FORGOTTEN_AFTER_MS = 2 * 3_600_000;
/** How long the condition must be clear before the alert resolves; at most as long as it had to hold. */
const MAX_CLEAR_MS = 5 * MINUTE_MS;
const SEEN_RESOLUTION_MS = 5 * MINUTE_MS;
/** Values are stored at most this often: each is measured over a minute. */
const VALUE_RESOLUTION_MS = MINUTE_MS;

type Timing = Pick<AlertRule, 'kind' | 'forMinutes' | 'repeatMinutes'>;

const withoutClear = ({ clearSince: _, ...state }: Firing): Firing => state;
const withoutHold = ({ isHeldBack: _, ...state }: Firing): Firing => state;

type Judged = Pick<Judgement, 'level' | 'value'>;

const withValue = (state: Firing, { value }: Judged, now: Millis): Firing =>
  value === undefined || value === state.last?.value ? state : { ...state, last: { value, at: now } };

/** Starts to fire. While it is silenced, that is held back until the silence ends. */
function fire(state: Pending, judged: Judged, now: Millis, { isSilenced }: Hearing): Transition {
  const firing = withValue({ ...state, phase: 'firing', reportedAt: now }, judged, now);
  if (isSilenced) return { state: { ...firing, isHeldBack: true }, change: 'firing', isSilent: true };
  return { state: firing, change: 'firing' };
}

function whilePending(state: Pending, judged: Judged, rule: Timing, now: Millis, hearing: Hearing): Transition {
  const { level } = judged;
  if (level === 'good') return { state: undefined };
  if (level === 'unknown') return { state: now - state.seenAt > FORGOTTEN_AFTER_MS ? undefined : state };
  const seen = { ...state, seenAt: now };
  if (level === 'near' || now - state.since < delayMs(rule)) return { state: seen };
  return fire(seen, judged, now, hearing);
}

function whileFiring(state: Firing, judged: Judged, rule: Timing, now: Millis, hearing: Hearing): Transition {
  const { level } = judged;
  const seen = withValue(level === 'unknown' ? state : { ...state, seenAt: now }, judged, now);
  const next =
    level === 'bad' ? withoutClear(seen) : level === 'good' ? { ...seen, clearSince: seen.clearSince ?? now } : seen;
  const isClear =
    next.clearSince !== undefined && level !== 'near' && now - next.clearSince >= Math.min(MAX_CLEAR_MS, delayMs(rule));
  // The end is sent if the start was.
  const silent = state.isHeldBack ? { isSilent: true as const } : {};
  const resolved = { state: undefined, change: 'resolved', ...silent } as const;
  if (isClear) return resolved;
  if (now - next.seenAt > FORGOTTEN_AFTER_MS) return { ...resolved, isStale: true };
  if (hearing.isSilenced) return { state: next };
  if (next.isHeldBack) return { state: { ...withoutHold(next), reportedAt: now }, change: 'firing' };
  const { repeatMinutes } = rule;
  const isDue = repeatMinutes !== undefined && now - next.reportedAt >= repeatMinutes * MINUTE_MS;
  if (!isDue || hearing.isAcknowledged) return { state: next };
  return { state: { ...next, reportedAt: now }, change: 'reminder' };
}

export function nextState(
  state: AlertState | undefined,
  judged: Judged,
  rule: Timing,
  now: Millis,
  hearing: Hearing = {},
): Transition {
  if (state?.phase === 'firing') return whileFiring(state, judged, rule, now, hearing);
  if (state !== undefined) return whilePending(state, judged, rule, now, hearing);
  if (judged.level !== 'bad') return { state };
  return whilePending({ phase: 'pending', since: now, seenAt: now }, judged, rule, now, hearing);
}

/** Whether a state differs so much from the stored one that it has to be stored. */
export function isChanged(stored: AlertState | undefined, next: AlertState | undefined): boolean {
  if (stored === undefined || next === undefined) return stored !== next;
  if (next.seenAt - stored.seenAt >= SEEN_RESOLUTION_MS) return true;
  if (stored.phase === 'pending' || next.phase === 'pending') return stored.phase !== next.phase;
  return (
    stored.clearSince !== next.clearSince ||
    stored.reportedAt !== next.reportedAt ||
    stored.isHeldBack !== next.isHeldBack ||
    (stored.last?.value !== next.last?.value && (next.last?.at ?? 0) - (stored.last?.at ?? 0) >= VALUE_RESOLUTION_MS)
  );
}
