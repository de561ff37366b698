// SPDX-License-Identifier: Apache-2.0
import { callAll, type Entry } from '../api/call.ts';
import { POLL, useGetAll } from '../api/useGet.ts';
import { type AffectedChannel, affectedChannels, type ConfirmationTarget } from './affectedChannels.ts';

export type Affected = {
  /** undefined until they are known, or while they are unknown */
  readonly channels: readonly AffectedChannel[] | undefined;
  readonly isLoading: boolean;
};

type Stored = Entry<'/channels'>;
/** The kinds of records that only stored channels name. */
const uses: Readonly<Record<string, (channel: Stored, id: string) => boolean>> = {
  system: ({ systemId }, id) => systemId === id,
  'ad source': (channel, id) => usesSource(channel, id),
};

/** Whether an ad source is in the steps of a channel. */
export const usesSource = ({ adSteps = [] }: Pick<Stored, 'adSteps'>, id: string): boolean =>
  adSteps.some(({ sources }) => sources.includes(id));

/** The channels and viewers that an action affects, kept up to date. */
export function useAffected(target: ConfirmationTarget): Affected {
  const onAir = useGetAll('/on-air', POLL.active);
  const isUser = uses[target.kind];
  const stored = useGetAll(isUser ? '/channels' : null);
  const id = 'id' in target ? target.id : '';
  const users = new Set(stored.data?.filter((channel) => isUser?.(channel, id)).map((channel) => channel.id));
  // A failed request makes earlier numbers doubtful.
  const isKnown = onAir.error === undefined && onAir.isCurrent && (isUser === undefined || stored.data !== undefined);
  return {
    channels: isKnown && onAir.data ? affectedChannels(onAir.data, target, users) : undefined,
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
