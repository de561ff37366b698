// SPDX-License-Identifier: Apache-2.0
// Checks the playlist and the system that a channel refers to.
import type { Channel } from '../../../channels/channel.ts';
import { fieldsOf } from '../../../channels/fieldsOf.ts';
import { type FieldError, fieldError } from '../../../errors.ts';
import { isRecordId } from '../../contract/commonContract.ts';
import type { Caller } from '../request/route.ts';
import { isOwnPlaylist } from './ownRecords.ts';
import type { CoreApi } from './ports.ts';

/** Referenced records must exist when the reference is set. They can be deleted later. */
export async function referenceFaults(
  { channels, playlists, systems }: Pick<CoreApi, 'channels' | 'playlists' | 'systems'>,
  fields: unknown,
  caller: Caller,
  previous?: Channel,
): Promise<FieldError[]> {
  const { tenant } = caller;
  const { playlistId, systemId, type } = fieldsOf(fields);
  const faults: FieldError[] = [];
  const addFault = (keyword: string, path: string, expected: string, id: string, why: string) =>
    faults.push(fieldError(keyword, path, `must be the id of a ${expected}; got "${id.slice(0, 128)}", which ${why}`));
  const isNewType = type === 'vod' && type !== previous?.type;
  const isNew = (id: unknown, before: string | undefined): id is string => typeof id === 'string' && id !== before;
  const isNewPlaylist = isNew(playlistId, previous?.playlistId);
  if (typeof playlistId === 'string' && isRecordId(playlistId) && (isNewPlaylist || isNewType)) {
    const isOwn = !isNewPlaylist || (await isOwnPlaylist(channels, caller, playlistId));
    const playlist = isOwn ? await playlists.find(tenant, playlistId) : undefined;
    if (playlist === undefined && isNewPlaylist)
      addFault('exists', '/playlistId', 'playlist', playlistId, 'does not exist');
    const expected = 'playlist of type "vod" because the channel has this type';
    if (type === 'vod' && playlist?.type === 'vod2live')
      addFault('playlistType', '/playlistId', expected, playlistId, 'has type "vod2live"');
  }
  // Systems belong to the whole tenant.
  const mayUse = async (id: string) => caller.channels === undefined && (await systems.has(tenant, id));
  if (isNew(systemId, previous?.systemId) && !(await mayUse(systemId)))
    addFault('exists', '/systemId', 'system', systemId, 'does not exist');
  return faults;
}
