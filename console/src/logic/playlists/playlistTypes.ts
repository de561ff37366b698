// SPDX-License-Identifier: Apache-2.0
import type { PlaylistDraft } from './playlistDraft.ts';

/** The channels that a playlist is for. */
export const playlistTypes: Readonly<Record<PlaylistDraft['type'], string>> = {
  '': 'Any channel',
  vod2live: 'Linear channel',
  vod: 'VoD channel',
};
