// SPDX-License-Identifier: Apache-2.0
// How many viewers watch what a request changes. A change never waits for a store of sessions that is unavailable: its
// response then states no number.
import type { Channel } from '../../../channels/channel.ts';
import { AppError, fieldError } from '../../../errors.ts';
import type { Kind } from './crud.ts';
import type { CoreApi } from './ports.ts';
import { forceQuery, type Headers, isForced, restoreHeader } from './record.ts';

export const viewersHeader = {
  'x-viewers-affected':
    'Viewers who watch the channel, or a channel that uses the playlist, now. Absent while their number cannot be read.',
};

/** @returns undefined if they cannot be counted */
export async function countViewers(
  { onAir, log }: Pick<CoreApi, 'onAir' | 'log'>,
  tenant: string,
  channelIds: () => Promise<readonly string[]> | readonly string[],
): Promise<number | undefined> {
  try {
    const ids = await channelIds();
    const counts = ids.length === 0 ? new Map<string, number>() : await onAir.viewerCounts(tenant, ids);
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  } catch (error) {
    log.warn({ err: error, tenant }, 'the viewers that a change affects were not counted');
    return undefined;
  }
}

export const affectedHeaders = (viewers: number | undefined): Headers =>
  viewers === undefined ? {} : { 'x-viewers-affected': String(viewers) };

type Removal = Required<Pick<Kind<Channel, never>, 'discard' | 'discarding' | 'affected'>>;

export function channelRemoval(deps: Pick<CoreApi, 'discard' | 'onAir' | 'log'>): Removal {
  const viewersOf = ({ tenant, id }: Channel) => countViewers(deps, tenant, () => [id]);
  return {
    async discard(channel, request) {
      const isUnconditional = isForced(request);
      const viewers = await viewersOf(channel);
      if (!isUnconditional) refuseWithViewers(channel.id, viewers);
      const headers = await deps.discard('channel', channel, request);
      return headers && { ...headers, ...affectedHeaders(viewers) };
    },
    discarding: { query: forceQuery, headers: { ...restoreHeader, ...viewersHeader }, errors: [409, 503] },
    affected: { headers: viewersHeader, of: async (channel) => affectedHeaders(await viewersOf(channel)) },
  };
}

/**
 * @param viewers undefined if they cannot be counted
 * @throws {AppError} CONFLICT if there are viewers; UNAVAILABLE if there may be some
 */
function refuseWithViewers(id: string, viewers: number | undefined): void {
  if (viewers === undefined)
    throw new AppError(
      'UNAVAILABLE',
      `The viewers of channel "${id}" cannot be counted now. Retry, or add ?force=true to delete it all the same.`,
    );
  if (viewers === 0) return;
  const verb = viewers === 1 ? 'viewer watches' : 'viewers watch';
  const message = `${viewers} ${verb} channel "${id}" now. Add ?force=true to delete it all the same.`;
  throw new AppError('CONFLICT', message, { data: [fieldError('viewers', '', message, { viewers })] });
}
