// SPDX-License-Identifier: Apache-2.0
// Whether a channel plays as configured: as planned, and, for a live channel, from its origin.
import type { OriginHealth } from '../../../live/originHealth.ts';
import type { ChannelStatus } from '../../../planning/status.ts';
import type { ChannelFacts } from './channelProblems.ts';

type State = Pick<ChannelStatus, 'state' | 'stateReason' | 'preparation'>;

const sees = { source: '', backup: ' Viewers see a backup.', slate: ' Viewers see slate.' } as const;

const isTroubled = ({ state, onAir }: OriginHealth): boolean =>
  state !== 'idle' && (state !== 'ok' || (onAir !== undefined && onAir.kind !== 'source'));

/** @param origins by format */
export function stateProblem(
  status: State | undefined,
  origins: { readonly hls?: OriginHealth; readonly dash?: OriginHealth },
): ChannelFacts['state'] {
  // A channel or a change that is being prepared is no problem.
  const isSettled = status?.state === 'failed' || status?.preparation === undefined;
  if (isSettled && status?.stateReason !== undefined) return { text: status.stateReason };
  const origin = [origins.hls, origins.dash].find((health) => health !== undefined && isTroubled(health));
  if (origin === undefined) return undefined;
  const reason = (origin.reason ?? 'The origin has nothing new').replace(/[.]$/, '');
  const since = origin.since ?? origin.onAir?.since;
  return { text: `${reason}.${sees[origin.onAir?.kind ?? 'source']}`, ...(since === undefined ? {} : { since }) };
}
