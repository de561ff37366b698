// SPDX-License-Identifier: Apache-2.0
// Whether a break is announced, on air or over. The list of breaks contains times; the clock decides.
import type { LiveBreak } from './liveTypes.ts';

export type BreakState = 'announced' | 'onAir' | 'ended' | 'cancelled';
type Timed = Pick<LiveBreak, 'startsAt' | 'endsAt' | 'duration' | 'state'> & Partial<Pick<LiveBreak, 'kind'>>;

/** @param maxBreakDuration seconds, for breaks whose markers state neither end nor duration */
export function breakEnd({ startsAt, endsAt, duration, kind }: Timed, maxBreakDuration: number): number | undefined {
  if (endsAt !== undefined) return Date.parse(endsAt);
  if (duration !== undefined) return Date.parse(startsAt) + duration * 1000;
  return kind === 'blackout' ? undefined : Date.parse(startsAt) + maxBreakDuration * 1000;
}

/** @param now milliseconds */
export function breakState(one: Timed, now: number, maxBreakDuration: number): BreakState {
  if (one.state === 'cancelled' || one.state === 'ended') return one.state;
  if (now < Date.parse(one.startsAt)) return 'announced';
  const end = breakEnd(one, maxBreakDuration);
  return end !== undefined && now >= end ? 'ended' : 'onAir';
}

/** Seconds for which a break was on air; undefined while its end is open. */
export const actualDuration = ({ startsAt, endsAt }: Timed): number | undefined =>
  endsAt === undefined ? undefined : Math.max(0, (Date.parse(endsAt) - Date.parse(startsAt)) / 1000);
