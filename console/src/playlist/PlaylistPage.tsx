import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { PlaylistAnswer } from '../../../src/http/contract.ts';
import { call } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { forgetUnsaved } from '../api/unsaved.ts';
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
  /** What is read takes the place of what is edited the first time, and when that was asked for; never unasked. */
  const isWanted = useRef(true);
  useEffect(() => {
    if (!stored.data || !isWanted.current) return;
    isWanted.current = false;
    setDraft(toDraft(stored.data));
  }, [stored.data]);

  const before = useMemo(() => fromDraft(stored.data ? toDraft(stored.data) : emptyDraft()), [stored.data]);
  const after = draft === undefined ? before : fromDraft(draft);
  const isChanged = JSON.stringify(before) !== JSON.stringify(after);
  const changes = isChanged ? diffPlaylists(before, after) : [];
  const save = useAction(async () => {
    if (path === null) {
      const { body: made } = await call<PlaylistAnswer>('POST', '/playlists', { body: after });
      return go(`/playlists/${encodeURIComponent(made.id)}`);
    }
    const answer = await saveOnce(
      () => call<PlaylistAnswer>('PUT', path, { body: after, ifMatch: stored.etag }),
      () => call<PlaylistAnswer>('GET', path),
      (now) => JSON.stringify(fromDraft(toDraft(now))) === JSON.stringify(after),
    );
    stored.take(answer);
    setSaved(true);
  });
  useLeaveGuard(isChanged && !save.isBusy);
  const change = (next: PlaylistDraft) => {
    // What was refused is told by its place.
    if (next.items.length !== draft?.items.length || next.items.some(({ key }, at) => key !== draft.items[at]!.key))
      save.clear();
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
                forgetUnsaved();
                go('/playlists');
              }}
            />
            <Button isDisabled={!isChanged} onClick={discard}>
              Discard
            </Button>
          </>
        )}
        <Button
          kind="primary"
          isBusy={save.isBusy}
          isDisabled={id !== undefined && !isChanged}
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
            isWanted.current = true;
            stored.reload();
          }}
        />
        {isSaved && !isChanged ? <Notice tone="good">Saved.</Notice> : null}
        {draft === undefined ? (
          stored.error === undefined ? (
            <Loading />
          ) : null
        ) : (
          <PlaylistEditor {...{ draft, changes }} stored={stored.data} errors={save.fields} onChange={change} />
        )}
      </div>
    </>
  );
}
