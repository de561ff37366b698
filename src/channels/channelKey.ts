// How the inside names a channel: its id is unique within its tenant only, and another tenant may choose the same.

export type ChannelRef = { readonly tenant: string; readonly id: string };

/** For maps. Names of tenants hold no slash. */
export const channelKey = ({ tenant, id }: ChannelRef): string => `${tenant}/${id}`;
