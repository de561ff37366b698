// SPDX-License-Identifier: Apache-2.0
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';

export type ChannelHealth = 'failed' | 'degraded' | 'preparing' | 'healthy' | 'offAir';
export type ChannelState = Pick<OnAirChannel, 'state' | 'stateReason' | 'preparation'> &
  Partial<Pick<OnAirChannel, 'type'>>;

const worstFirst: readonly ChannelHealth[] = ['failed', 'degraded', 'preparing', 'healthy', 'offAir'];

/** `degraded`: on air, or a VoD channel that is enabled, but with a reported problem. */
export function channelHealth({ state, stateReason, preparation }: ChannelState): ChannelHealth {
  if (state === 'failed') return 'failed';
  if (state === 'disabled') return 'offAir';
  if (preparation?.isOnAir === false) return 'preparing';
  return stateReason === undefined ? 'healthy' : 'degraded';
}

/** Problems first, then the channels with the most viewers. */
export const sortByHealth = <Channel extends OnAirChannel>(channels: readonly Channel[]): Channel[] =>
  [...channels].sort(
    (a, b) =>
      worstFirst.indexOf(channelHealth(a)) - worstFirst.indexOf(channelHealth(b)) ||
      b.viewers - a.viewers ||
      (a.name ?? a.id).localeCompare(b.name ?? b.id),
  );
