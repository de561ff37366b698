// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { call } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { HistoryLink } from '../audit/HistoryLink.tsx';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { SaveError } from '../components/forms/Form.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { ConfirmationButton, ConfirmationDialog } from '../confirmations/ConfirmationDialog.tsx';
import { useDeletion } from '../confirmations/useDeletion.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
import { diffPlaylists } from './diffPlaylists.ts';
import { editedField } from './editedField.ts';
import { PlaylistEditor } from './PlaylistEditor.tsx';
import { emptyDraft, fromDraft, type PlaylistDraft, toDraft } from './playlistDraft.ts';
import { playlistStatuses } from './playlistTypes.ts';
import './playlist.css';

/** Edits a playlist. @param id undefined for a new one */
export function PlaylistPage({ id }: { readonly id?: string }) {
  const path = id === undefined ? null : { id };
  const stored = useGet('/playlists/{id}', path && { path });
  const [initial] = useState(() => (id === undefined ? emptyDraft() : undefined));
  const [isSaved, setSaved] = useState(false);
  const [isDisabling, setDisabling] = useState(false);
  const history = useHistory<PlaylistDraft>(initial, editedField, () => {
    save.clear();
    setSaved(false);
  });
  const draft = history.value;
  const name = stored.data?.name || id || '';
  const [, navigate] = useLocation();
  const remove = useDeletion('/playlists', id ?? '', name);
  /** The stored playlist replaces the draft when the page opens and on request, never by itself. */
  const mayReplaceDraft = useRef(true);
  useEffect(() => {
    if (!stored.data || !mayReplaceDraft.current) return;
    mayReplaceDraft.current = false;
    history.start(toDraft(stored.data));
  }, [stored.data]);

  const before = useMemo(() => fromDraft(stored.data ? toDraft(stored.data) : emptyDraft()), [stored.data]);
  const after = draft === undefined ? before : fromDraft(draft);
  const isChanged = JSON.stringify(before) !== JSON.stringify(after);
  const changes = isChanged ? diffPlaylists(before, after) : [];
  const disables = before.status === 'enabled' && after.status === 'disabled' && stored.data !== undefined;
  const save = useAction(async () => {
    if (path === null) {
      const { body: created } = await call('POST', '/playlists', { body: after });
      return navigate(`/playlists/${encodeURIComponent(created.id)}`);
    }
    const response = await saveOnce(
      () => call('PUT', '/playlists/{id}', { path, body: after, ifMatch: stored.etag }),
      () => call('GET', '/playlists/{id}', { path }),
      (latest) => JSON.stringify(fromDraft(toDraft(latest))) === JSON.stringify(after),
    );
    stored.replace(response);
    setSaved(true);
    /** Undoes that it was disabled, and nothing else. */
    const enable = async () => {
      stored.replace(await call('PATCH', '/playlists/{id}', { path, body: { status: 'enabled' } }));
      history.edit((now) => ({ ...now, isEnabled: true }));
    };
    if (disables) showToast({ text: `${name} disabled.`, undo: enable, undone: `${name} enabled.` });
  });
  useLeaveGuard(isChanged && !save.isBusy);
  const change = (next: PlaylistDraft) => {
    // Errors refer to items by index, so they are void once items move.
    if (next.items.length !== draft?.items.length || next.items.some(({ key }, at) => key !== draft.items[at]?.key))
      save.clear();
    history.edit(() => next);
    setSaved(false);
  };
  const discard = () => {
    if (stored.data) change(toDraft(stored.data));
    save.clear();
  };
  return (
    <>
      <PageHeader
        title={id === undefined ? 'New playlist' : stored.data?.name || id}
        parent={{ name: 'Playlists', path: '/playlists' }}
        badge={stored.data?.status === 'disabled' ? <StatusBadge status={playlistStatuses.disabled} /> : null}
      >
        {id === undefined ? null : (
          <>
            <HistoryLink kind="playlist" id={id} />
            <ConfirmationButton
              label="Delete"
              requires="tenant"
              title={`Delete ${name}?`}
              target={{ kind: 'playlist', id }}
              name={name}
              consequence="Linear channels that use it show slate, and VoD channels do not play. You can restore it for 24 hours."
              verb="Delete playlist"
              act={remove}
            />
            <Button isDisabled={!isChanged} reason="There are no unsaved changes." onClick={discard}>
              Discard changes
            </Button>
          </>
        )}
        <UndoButtons history={history} />
        <Button
          kind="primary"
          requires="tenant"
          isBusy={save.isBusy}
          isDisabled={id !== undefined && !isChanged}
          reason="There are no unsaved changes."
          onClick={() => (disables ? setDisabling(true) : void save.run())}
        >
          {id === undefined ? 'Create playlist' : 'Save'}
        </Button>
      </PageHeader>
      {isDisabling && id !== undefined ? (
        <ConfirmationDialog
          title={`Disable ${name}?`}
          target={{ kind: 'playlist', id }}
          name={name}
          consequence="Linear channels that use it show slate, and VoD channels do not play. All unsaved changes are saved."
          verb="Disable playlist"
          act={save.run}
          onClose={() => setDisabling(false)}
        />
      ) : null}
      <div>
        <ErrorNotice error={stored.error} onRetry={stored.reload} />
        <SaveError
          record="playlist"
          error={save.error}
          onLoadLatest={() => {
            save.clear();
            mayReplaceDraft.current = true;
            stored.reload();
          }}
        />
        {isSaved && !isChanged ? <Notice tone="good">Saved.</Notice> : null}
        {draft === undefined ? (
          stored.error === undefined ? (
            <Loading />
          ) : null
        ) : (
          <PlaylistEditor draft={draft} changes={changes} stored={stored.data} errors={save.fields} onChange={change} />
        )}
      </div>
    </>
  );
}
