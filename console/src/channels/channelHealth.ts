// SPDX-License-Identifier: Apache-2.0
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import type { ChannelProblem } from '../../../src/http/contract/statusContract.ts';

export type ChannelHealth = 'failed' | 'degraded' | 'preparing' | 'healthy' | 'offAir';
export type ChannelState = Pick<OnAirChannel, 'state' | 'stateReason' | 'preparation' | 'problems'> &
  Partial<Pick<OnAirChannel, 'type'>>;

const worstFirst: readonly ChannelHealth[] = ['failed', 'degraded', 'preparing', 'healthy', 'offAir'];

/** A channel that has just failed may have its reason before its problems. */
export function problemsOf({ problems, state, stateReason }: ChannelState): readonly ChannelProblem[] {
  if (problems !== undefined || state !== 'failed' || stateReason === undefined) return problems ?? [];
  return [{ kind: 'state', text: stateReason }];
}

/** `degraded`: on air, or a VoD channel that is enabled, but with a problem. */
export function channelHealth(channel: ChannelState): ChannelHealth {
  const { state, preparation } = channel;
  if (state === 'failed') return 'failed';
  if (state === 'disabled') return 'offAir';
  if (preparation?.isOnAir === false) return 'preparing';
  return problemsOf(channel).length === 0 ? 'healthy' : 'degraded';
}

/** Problems first, then the channels with the most viewers. */
export const sortByHealth = <Channel extends OnAirChannel>(channels: readonly Channel[]): Channel[] =>
  [...channels].sort(
    (a, b) =>
      worstFirst.indexOf(channelHealth(a)) - worstFirst.indexOf(channelHealth(b)) ||
      b.viewers - a.viewers ||
      (a.name ?? a.id).localeCompare(b.name ?? b.id),
  );
