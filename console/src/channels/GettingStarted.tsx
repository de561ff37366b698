// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { POLL, useGet } from '../api/useGet.ts';
import { plural } from '../format/numbers.ts';

/** The steps from an empty installation to the first channel, with the current one highlighted. */
export function GettingStarted() {
  const { data, total } = useGet('/playlists', { query: { limit: 1 } }, POLL.normal);
  const newest = data?.[0];
  const hasPlaylist = newest !== undefined;
  return (
    <section class="card stack">
      <div>
        <h2>Create your first channel</h2>
        <p class="muted">You need the URL of an HLS or DASH asset. An ad server URL is optional.</p>
      </div>
      <ol class="steps">
        <li class={hasPlaylist ? 'done' : 'current'}>
          <div>
            <h3>Create a playlist</h3>
            <p class="muted">Paste the URLs of your assets and place ad breaks.</p>
            {hasPlaylist ? (
              <p>
                {plural(total ?? 1, 'playlist')}. Newest:{' '}
                <Link href={`/playlists/${encodeURIComponent(newest.id)}`}>{newest.name || newest.id}</Link>
              </p>
            ) : (
              <Link href="/playlists/~new" class="button primary">
                Create playlist
              </Link>
            )}
          </div>
        </li>
        <li class={hasPlaylist ? 'current' : ''}>
          <div>
            <h3>Create a channel</h3>
            <p class="muted">A channel loops the playlist and requests ads for each viewer at every break.</p>
            {hasPlaylist ? (
              <Link href={`/channels/~new?playlist=${encodeURIComponent(newest.id)}`} class="button primary">
                Create channel
              </Link>
            ) : null}
          </div>
        </li>
        <li>
          <div>
            <h3>Preview the channel</h3>
            <p class="muted">Watch it in the console and see why each ad was shown or skipped.</p>
          </div>
        </li>
      </ol>
    </section>
  );
}
