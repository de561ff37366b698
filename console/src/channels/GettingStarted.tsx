// SPDX-License-Identifier: Apache-2.0
import { Link } from 'wouter-preact';
import { POLL, useGet } from '../api/useGet.ts';
import { plural } from '../format/numbers.ts';

/** The two ways from an empty installation to the first channel, with the current step of the longer one highlighted. */
export function GettingStarted() {
  const { data, total } = useGet('/playlists', { query: { limit: 1 } }, POLL.normal);
  const newest = data?.[0];
  const hasPlaylist = newest !== undefined;
  return (
    <section class="card stack">
      <div>
        <h2>Create your first channel</h2>
        <p class="muted">Each viewer gets ads of their own at every break. An ad server URL is optional.</p>
      </div>
      <div class="ways">
        <section class="stack">
          <h3>Loop on-demand assets</h3>
          <ol class="steps">
            <li class={hasPlaylist ? 'done' : 'current'}>
              <div>
                <p>Paste the URLs of your HLS or DASH assets and place ad breaks.</p>
                {hasPlaylist ? (
                  <p class="muted">
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
                <p>Create a channel that loops the playlist.</p>
                {hasPlaylist ? (
                  <Link href={`/channels/~new?playlist=${encodeURIComponent(newest.id)}`} class="button primary">
                    Create channel
                  </Link>
                ) : null}
              </div>
            </li>
          </ol>
        </section>
        <section class="stack">
          <h3>Take a live stream</h3>
          <p>Paste the URL of your HLS or DASH origin. Midroll analyses it and finds its ad markers.</p>
          <p>
            <Link href="/channels/~new?type=live" class={hasPlaylist ? 'button' : 'button primary'}>
              Create live channel
            </Link>
          </p>
        </section>
      </div>
    </section>
  );
}
