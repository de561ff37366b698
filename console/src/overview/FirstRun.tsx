import { Link } from 'wouter-preact';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { useGet } from '../api/useGet.ts';

/** The way from nothing to a channel that plays, with the next step pointed out. */
export function FirstRun() {
  const { data, total } = useGet<PlaylistAnswer[]>('/playlists?limit=1', 10_000);
  const first = data?.[0];
  const hasPlaylist = first !== undefined;
  return (
    <section class="card stack">
      <div>
        <h2>Welcome. Three steps to a channel that plays</h2>
        <p class="quiet">
          You need the address of an HLS or DASH film, and the address of an ad server if you have one.
        </p>
      </div>
      <ol class="steps">
        <li class={hasPlaylist ? 'done' : 'current'}>
          <div>
            <h3>Make a playlist</h3>
            <p class="quiet">Paste the addresses of your films and place breaks where ads may be shown.</p>
            {hasPlaylist ? (
              <p>
                You have {total} already,{' '}
                <Link href={`/playlists/${encodeURIComponent(first.id)}`}>{first.name || first.id}</Link> is the newest.
              </p>
            ) : (
              <Link href="/playlists/~new" class="button primary">
                Make a playlist
              </Link>
            )}
          </div>
        </li>
        <li class={hasPlaylist ? 'current' : ''}>
          <div>
            <h3>Create a channel</h3>
            <p class="quiet">
              It plays the playlist in a loop and asks your ad server at every break, for each viewer.
            </p>
            {hasPlaylist ? (
              <Link href={`/channels/~new?playlist=${encodeURIComponent(first.id)}`} class="button primary">
                Create a channel
              </Link>
            ) : null}
          </div>
        </li>
        <li>
          <div>
            <h3>Watch it</h3>
            <p class="quiet">The channel's page plays it here, and says for every ad why it was shown or not.</p>
          </div>
        </li>
      </ol>
    </section>
  );
}
