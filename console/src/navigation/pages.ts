// SPDX-License-Identifier: Apache-2.0
// The pages of the navigation, in its order. The palette opens the same ones, and so do the keys after G.
import { lackingRight, type Rights, restriction } from '../api/lackingRight.ts';

export const pages = [
  { path: '/overview', title: 'Overview', icon: 'overview', key: 'o' },
  { path: '/channels', title: 'Channels', icon: 'channels', key: 'c' },
  { path: '/playlists', title: 'Playlists', icon: 'playlist', key: 'p' },
  { path: '/ad-sources', title: 'Ad sources', icon: 'sources', key: 'i' },
  { path: '/sessions', title: 'Sessions', icon: 'sessions', key: 's' },
  { path: '/reports', title: 'Reports', icon: 'reports', key: 'r', isOfTenant: true },
  { path: '/creatives', title: 'Creatives', icon: 'creatives', key: 'v', isOfTenant: true },
  { path: '/alerts', title: 'Alerts', icon: 'alert', key: 'a', isOfTenant: true },
  { path: '/systems', title: 'Systems', icon: 'systems', key: 'y', isOfTenant: true },
  { path: '/keys', title: 'Keys', icon: 'keys', key: 'k', isOfTenant: true },
  { path: '/audit', title: 'Audit', icon: 'audit', key: 'u', isOfTenant: true },
  { path: '/deleted', title: 'Recently deleted', icon: 'trash', key: 'd', isOfTenant: true },
] as const satisfies readonly {
  readonly path: string;
  readonly title: string;
  readonly icon: string;
  /** After G, this key opens the page. */
  readonly key: string;
  /** About the whole tenant: keys for some channels cannot read it. */
  readonly isOfTenant?: true;
}[];

export type NavigationPage = (typeof pages)[number];

/** @returns why a page cannot be read; undefined if it can */
export const unavailable = (page: NavigationPage, of: Rights | undefined): string | undefined =>
  page.path === '/audit' ? lackingRight(of, 'tenant') : 'isOfTenant' in page ? restriction(of) : undefined;

/** Parts of the pages, which the palette lists after the pages. */
export const subPages = [
  { path: '/alerts/history', title: 'Alert history' },
  { path: '/alerts/rules', title: 'Alert rules' },
  { path: '/alerts/webhooks', title: 'Webhooks' },
] as const;
