// SPDX-License-Identifier: Apache-2.0
import { callAll } from '../api/call.ts';
import { POLL, useGetAll } from '../api/useGet.ts';
import { type AffectedChannel, affectedChannels, type ConfirmationTarget } from './affectedChannels.ts';

export type Affected = {
  /** undefined until they are known, or while they are unknown */
  readonly channels: readonly AffectedChannel[] | undefined;
  readonly isLoading: boolean;
};

/** The channels and viewers that an action affects, kept up to date. */
export function useAffected(target: ConfirmationTarget): Affected {
  const onAir = useGetAll('/on-air', POLL.active);
  const stored = useGetAll(target.kind === 'system' ? '/channels' : null);
  const systemIds = stored.data && new Map(stored.data.map(({ id, systemId }) => [id, systemId]));
  // A failed request makes earlier numbers doubtful.
  const isKnown = onAir.error === undefined && onAir.isCurrent && (target.kind !== 'system' || systemIds !== undefined);
  return {
    channels: isKnown && onAir.data ? affectedChannels(onAir.data, target, systemIds) : undefined,
    isLoading: (onAir.error === undefined && !onAir.isCurrent) || stored.isLoading,
  };
}

/** The viewers of a channel now; undefined if they are unknown. */
export async function readViewers(channelId: string): Promise<number | undefined> {
  try {
    const { body } = await callAll('/on-air');
    return body.find(({ id }) => id === channelId)?.viewers;
  } catch {
    return undefined;
  }
}
