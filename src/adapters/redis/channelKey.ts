// SPDX-License-Identifier: Apache-2.0
// How a channel is named in keys. Names of tenants contain no slash.
import type { OwnedChannel } from '../../sessions/ports.ts';

export const channelKey = ({ id, tenant }: OwnedChannel): string => `${tenant}/${id}`;

/** The channel of a key that `channelKey` returned. */
export function readChannelKey(key: string): OwnedChannel {
  const slash = key.indexOf('/');
  return { tenant: key.slice(0, slash), id: key.slice(slash + 1) };
}
