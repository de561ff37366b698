import { Link } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/consoleContract.ts';
import { useGetAll } from '../api/useGet.ts';
import type { Change } from '../logic/diffPlaylists.ts';

type ChangesProps = { readonly playlistId: string | undefined; readonly changes: readonly Change[] };
const signs = { added: '+', removed: '−', changed: '~' } as const;
const words = { added: 'Added', removed: 'Removed', changed: 'Changed' } as const;

/** What saving will change, and where it will be seen. */
export function Changes({ playlistId, changes }: ChangesProps) {
  const { data } = useGetAll<OnAirChannel>(playlistId === undefined ? null : '/on-air');
  const channels = (data ?? []).filter((channel) => channel.playlistId === playlistId);
  const onAir = channels.filter(({ state }) => state !== 'disabled');
  return (
    <section class="card">
      <h2>What changes</h2>
      {changes.length === 0 ? <p class="quiet">Nothing yet.</p> : null}
      <ul class="changes">
        {changes.map(({ kind, text }, at) => (
          <li key={at} class={kind}>
            <b aria-hidden="true">{signs[kind]}</b>
            <span>
              <span class="unseen">{words[kind]}: </span>
              {text}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > 0 && onAir.length > 0 ? (
        <p class="small quiet">
          On air on {onAir.map(({ id, name }) => name || id).join(', ')}: viewers get it about ten seconds after it is
          saved. What is already listed to them stays as it is.
        </p>
      ) : null}
      {playlistId !== undefined && data !== undefined && channels.length === 0 ? (
        <p class="small quiet">
          No channel plays this playlist.{' '}
          <Link href={`/channels/~new?playlist=${encodeURIComponent(playlistId)}`}>Create a channel for it</Link>
        </p>
      ) : null}
    </section>
  );
}
