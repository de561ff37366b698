import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { useGet } from '../api/useGet.ts';
import { formatDate } from '../logic/time.ts';
import { Badge } from '../parts/Badge.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Icon } from '../parts/Icon.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { Pager } from '../parts/Pager.tsx';

const LIMIT = 20;

function Row({ playlist }: { readonly playlist: PlaylistAnswer }) {
  const { id, name, status, contents = [], createdAt, modifiedAt, createdBy, modifiedBy } = playlist;
  const breaks = contents.reduce((sum, { cuePoints = [] }) => sum + cuePoints.length, 0);
  return (
    <tr>
      <td class="called">
        <Link href={`/playlists/${encodeURIComponent(id)}`}>
          <strong>{name || id}</strong>
        </Link>
        {name ? (
          <>
            <br />
            <small>{id}</small>
          </>
        ) : null}
      </td>
      <td>{status === 'enabled' ? <Badge tone="good">Enabled</Badge> : <Badge tone="calm">Disabled</Badge>}</td>
      <td class="right">{contents.length}</td>
      <td class="right">{breaks}</td>
      <td class="wide">
        {formatDate(modifiedAt ?? createdAt)}
        <br />
        <small>{modifiedBy ?? createdBy}</small>
      </td>
    </tr>
  );
}

/** Every playlist, newest first. */
export function PlaylistsPage() {
  const [offset, setOffset] = useState(0);
  const { data, total, error, isLoading, reload } = useGet<PlaylistAnswer[]>(
    `/playlists?offset=${offset}&limit=${LIMIT}`,
  );
  return (
    <>
      <PageHead title="Playlists">
        <Link href="/playlists/~new" class="button primary">
          <Icon name="plus" /> New playlist
        </Link>
      </PageHead>
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data && total === 0 ? (
        <Empty icon="playlist" title="No playlists yet">
          <p>A playlist is a list of films with the places where ads may be shown. Channels play them in a loop.</p>
        </Empty>
      ) : null}
      {data && data.length > 0 ? (
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th>Name</th>
                <th>Status</th>
                <th class="right">Items</th>
                <th class="right">Breaks</th>
                <th class="wide">Changed</th>
              </tr>
            </thead>
            <tbody>
              {data.map((playlist) => (
                <Row key={playlist.id} playlist={playlist} />
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
      <Pager {...{ offset, limit: LIMIT, total: total ?? 0 }} onChange={setOffset} />
    </>
  );
}
