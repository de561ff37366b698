// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { useGetAll } from '../api/useGet.ts';
import type { Change } from './diffPlaylists.ts';
import type { PlaylistType } from './playlistDraft.ts';

type UnsavedChangesProps = {
  readonly playlistId: string | undefined;
  readonly type: PlaylistType | '';
  readonly changes: readonly Change[];
};
const signs: Readonly<Record<Change['kind'], string>> = { added: '+', removed: '−', changed: '~' };
const kinds: Readonly<Record<Change['kind'], string>> = { added: 'Added', removed: 'Removed', changed: 'Changed' };

const channelQuery = (playlist: string, type: PlaylistType | '') =>
  new URLSearchParams({ playlist, ...(type === 'vod' ? { type } : {}) });

const namesOf = (channels: readonly OnAirChannel[]): string => channels.map(({ id, name }) => name || id).join(', ');

/** What saving will change, and on which channels. */
export function UnsavedChanges({ playlistId, type, changes }: UnsavedChangesProps) {
  const { data } = useGetAll<OnAirChannel>(playlistId === undefined ? null : '/on-air');
  const channels = (data ?? []).filter((channel) => channel.playlistId === playlistId);
  const enabled = channels.filter(({ state }) => state !== 'disabled');
  const onAir = enabled.filter((channel) => channel.type !== 'vod');
  const vod = enabled.filter((channel) => channel.type === 'vod');
  return (
    <section class="card">
      <h2>Unsaved changes</h2>
      {changes.length === 0 ? <p class="muted">None</p> : null}
      <ul class="changes">
        {changes.map(({ kind, text }, at) => (
          <li key={at} class={kind}>
            <b aria-hidden="true">{signs[kind]}</b>
            <span>
              <span class="visually-hidden">{kinds[kind]}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > 0 && onAir.length > 0 ? (
        <p class="small muted">
          On air: {namesOf(onAir)}. Viewers get the changes about 10 s after you save. Segments that manifests already
          list do not change.
        </p>
      ) : null}
      {changes.length > 0 && vod.length > 0 ? (
        <p class="small muted">VoD: {namesOf(vod)}. New sessions get the changes. Open sessions do not change.</p>
      ) : null}
      {playlistId !== undefined && data !== undefined && channels.length === 0 ? (
        <p class="small muted">
          No channel uses this playlist.{' '}
          <Link href={`/channels/~new?${channelQuery(playlistId, type)}`}>Create channel</Link>
        </p>
      ) : null}
    </section>
  );
}
