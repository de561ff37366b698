// SPDX-License-Identifier: Apache-2.0
// Deletes a channel, with `force` only if it has viewers.
import type { Channel } from '../../../channels/channel.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { affectedHeaders, countViewers, viewersHeader } from './affectedViewers.ts';
import type { Kind } from './crud.ts';
import type { CoreApi } from './ports.ts';
import { forceQuery, isForced, restoreHeader } from './record.ts';

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
