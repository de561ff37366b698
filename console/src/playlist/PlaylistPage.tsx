import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { useLeaveGuard } from '../api/useLeaveGuard.ts';
import { diffPlaylists } from '../logic/diffPlaylists.ts';
import { emptyDraft, fromDraft, type PlaylistDraft, toDraft } from '../logic/playlistDraft.ts';
import { Badge } from '../parts/Badge.tsx';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice, Notice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { SaveError } from '../parts/SaveError.tsx';
import { PlaylistEditor } from './PlaylistEditor.tsx';
import './playlist.css';

/** A playlist, new or stored, while it is edited. @param id undefined for a new one */
export function PlaylistPage({ id }: { readonly id?: string }) {
  const path = id === undefined ? null : `/playlists/${encodeURIComponent(id)}`;
  const stored = useGet<PlaylistAnswer>(path);
  const [draft, setDraft] = useState<PlaylistDraft | undefined>(id === undefined ? emptyDraft : undefined);
  const [isSaved, setSaved] = useState(false);
  const [, go] = useLocation();
  useEffect(() => {
    if (stored.data) setDraft(toDraft(stored.data));
  }, [stored.data]);

  const before = stored.data
    ? fromDraft(toDraft(stored.data))
    : { status: 'enabled' as const, type: 'vod2live' as const };
  const changes = draft === undefined ? [] : diffPlaylists(before, fromDraft(draft));
  const save = useAction(async () => {
    const body = fromDraft(draft!);
    if (path === null) {
      const { body: made } = await call<PlaylistAnswer>('POST', '/playlists', { body });
      return go(`/playlists/${encodeURIComponent(made.id)}`);
    }
    await call('PUT', path, { body, ifMatch: stored.etag });
    setSaved(true);
    stored.reload();
  });
  const mayLeave = changes.length === 0 || save.isBusy;
  useLeaveGuard(!mayLeave);
  const change = (next: PlaylistDraft) => {
    setDraft(next);
    setSaved(false);
  };
  const discard = () => {
    if (stored.data) change(toDraft(stored.data));
    save.clear();
  };
  return (
    <>
      <PageHead
        title={id === undefined ? 'New playlist' : stored.data?.name || id}
        parent={{ name: 'Playlists', path: '/playlists' }}
        badge={stored.data?.status === 'disabled' ? <Badge tone="calm">Disabled</Badge> : null}
      >
        {id === undefined ? null : (
          <>
            <ConfirmButton
              label="Delete"
              question="Channels that play this playlist show slate from then on. This cannot be undone."
              act={async () => {
                await call('DELETE', path!);
                go('/playlists');
              }}
            />
            <Button isDisabled={changes.length === 0} onClick={discard}>
              Discard
            </Button>
          </>
        )}
        <Button
          kind="primary"
          isBusy={save.isBusy}
          isDisabled={id !== undefined && changes.length === 0}
          onClick={() => void save.run()}
        >
          {id === undefined ? 'Create the playlist' : 'Save'}
        </Button>
      </PageHead>
      <div>
        <ErrorNotice error={stored.error} onRetry={stored.reload} />
        <SaveError
          what="playlist"
          error={save.error}
          onTakeTheirs={() => {
            save.clear();
            stored.reload();
          }}
        />
        {isSaved ? <Notice tone="good">Saved.</Notice> : null}
        {draft === undefined ? (
          stored.error === undefined ? (
            <Loading />
          ) : null
        ) : (
          <PlaylistEditor {...{ draft, changes }} storedId={stored.data?.id} errors={save.fields} onChange={change} />
        )}
      </div>
    </>
  );
}
