// SPDX-License-Identifier: Apache-2.0
// How many viewers watch what a request changes. A change never waits for a store of sessions that is unavailable: its
// response then states no number.
import type { CoreApi } from './ports.ts';
import type { Headers } from './record.ts';

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
