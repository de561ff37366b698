// SPDX-License-Identifier: Apache-2.0
import type { Channel } from '../../../channels/channel.ts';
import { hashSecret } from '../../../platform/access/rules/apiKey.ts';
import type { ChannelTable } from '../schema/channelTables.ts';

/** What queries filter channels by. */
export const channelColumns = ({
  state,
  playlistId,
  apiKey,
}: Channel): Pick<ChannelTable, 'state' | 'playlist_id' | 'key_hash'> => ({
  state,
  playlist_id: playlistId ?? null,
  key_hash: hashSecret(apiKey),
});
