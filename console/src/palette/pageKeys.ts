// SPDX-License-Identifier: Apache-2.0
/** After G, these keys open pages. */
export const pageKeys: Readonly<Record<string, readonly [path: string, name: string]>> = {
  c: ['/', 'Channels'],
  p: ['/playlists', 'Playlists'],
  s: ['/sessions', 'Sessions'],
  r: ['/reports', 'Reports'],
  k: ['/keys', 'Keys'],
};
