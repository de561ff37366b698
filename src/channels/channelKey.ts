// SPDX-License-Identifier: Apache-2.0
// The internal name of a channel. Its id is unique only within its tenant.

export type ChannelRef = { readonly tenant: string; readonly id: string };

/** A key for maps. Tenant names contain no slash. */
export const channelKey = ({ tenant, id }: ChannelRef): string => `${tenant}/${id}`;

export function channelOfKey(key: string): ChannelRef {
  const slash = key.indexOf('/');
  return { tenant: key.slice(0, slash), id: key.slice(slash + 1) };
}
