// SPDX-License-Identifier: Apache-2.0
import { type Millis, millis } from '../../time/units.ts';
import type { InsertedBreak } from './breakOrder.ts';

export type InsertedState = 'scheduled' | 'running' | 'ended' | 'cancelled';

type Times = Pick<InsertedBreak, 'startsAt' | 'duration' | 'endedAt' | 'cancelledAt'>;

/** When a break is over by the clock; undefined if it lasts until it is ended. A cancelled one is over when it was cancelled. */
export function endsAt({ startsAt, duration, endedAt, cancelledAt }: Times): Millis | undefined {
  if (cancelledAt !== undefined) return cancelledAt;
  if (endedAt !== undefined) return endedAt;
  return duration === undefined ? undefined : millis(startsAt + duration);
}

export function insertedState(one: Times, now: Millis): InsertedState {
  if (one.cancelledAt !== undefined) return 'cancelled';
  if (one.endedAt !== undefined) return 'ended';
  if (now < one.startsAt) return 'scheduled';
  const end = endsAt(one);
  return end !== undefined && now >= end ? 'ended' : 'running';
}
