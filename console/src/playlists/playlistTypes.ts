// SPDX-License-Identifier: Apache-2.0

import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import type { Statuses } from '../components/feedback/Badge.tsx';
import type { PlaylistDraft } from './playlistDraft.ts';

export const playlistStatuses: Statuses<NonNullable<PlaylistResponse['status']>> = {
  enabled: ['good', 'Enabled'],
  disabled: ['calm', 'Disabled'],
};

/** The channels that a playlist is for. */
export const playlistTypes: Readonly<Record<PlaylistDraft['type'], string>> = {
  '': 'Any channel',
  vod2live: 'Linear channel',
  vod: 'VoD channel',
};
