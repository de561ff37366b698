// SPDX-License-Identifier: Apache-2.0
// The pages of the navigation, in its order. The palette opens the same ones.

export const pages = [
  { path: '/', title: 'Channels', icon: 'channels' },
  { path: '/playlists', title: 'Playlists', icon: 'playlist' },
  { path: '/sessions', title: 'Sessions', icon: 'sessions' },
  { path: '/reports', title: 'Reports', icon: 'reports', isOfTenant: true },
  { path: '/creatives', title: 'Creatives', icon: 'creatives', isOfTenant: true },
  { path: '/alerts', title: 'Alerts', icon: 'alert', isOfTenant: true },
  { path: '/systems', title: 'Systems', icon: 'systems', isOfTenant: true },
  { path: '/keys', title: 'Keys', icon: 'keys', isOfTenant: true },
  { path: '/audit', title: 'Audit', icon: 'audit', isOfTenant: true },
  { path: '/deleted', title: 'Recently deleted', icon: 'trash', isOfTenant: true },
] as const satisfies readonly {
  readonly path: string;
  readonly title: string;
  readonly icon: string;
  /** About the whole tenant: keys for some channels cannot read it. */
  readonly isOfTenant?: true;
}[];
