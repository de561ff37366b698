// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { call } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { HistoryLink } from '../audit/HistoryLink.tsx';
import { Button } from '../components/buttons/Button.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Form, SaveError } from '../components/forms/Form.tsx';
import { editedSetting, rebase } from '../components/forms/settings.ts';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { useDeletion } from '../confirmations/useDeletion.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
import { AdSourceFields } from './AdSourceFields.tsx';
import { type AdSourceForm, fromForm, sourcePatch, toForm } from './adSourceForm.ts';
import { ChannelLinks, LISTED } from './ChannelLinks.tsx';

const empty = toForm({});

/** Edits an ad source. @param id undefined for a new one */
export function AdSourcePage({ id }: { readonly id?: string }) {
  const path = id === undefined ? null : { id };
  const stored = useGet('/ad-sources/{id}', path && { path });
  const users = useGet('/channels', path && { query: { adSource: path.id, limit: LISTED } });
  const inUse = users.data?.length ? 'Remove it from the steps of these channels first.' : undefined;
  const [isSaved, setSaved] = useState(false);
  const history = useHistory<AdSourceForm>(id === undefined ? empty : undefined, editedSetting, () => {
    save.clear();
    setSaved(false);
  });
  const form = history.value;
  const { data } = stored;
  const name = data?.name || id || '';
  const [, navigate] = useLocation();
  const remove = useDeletion('/ad-sources', id ?? '', name);
  /** The form without edits. */
  const base = useRef<AdSourceForm>();
  useEffect(() => {
    if (!data) return;
    const latest = toForm(data);
    const previous = base.current;
    base.current = latest;
    if (form && previous) history.map((edited) => rebase(edited, previous, latest));
    else history.start(latest);
  }, [data]);
  const patch = form && data ? sourcePatch(data, form) : {};
  const isChanged = data ? Object.keys(patch).length > 0 : JSON.stringify(form) !== JSON.stringify(empty);
  const save = useAction(async () => {
    if (path === null) {
      const { body: created } = await call('POST', '/ad-sources', { body: fromForm(form ?? empty) });
      return navigate(`/ad-sources/${encodeURIComponent(created.id)}`);
    }
    const response = await saveOnce(
      () => call('PATCH', '/ad-sources/{id}', { path, body: patch, ifMatch: stored.etag }),
      () => call('GET', '/ad-sources/{id}', { path }),
      (latest) => form !== undefined && Object.keys(sourcePatch(latest, form)).length === 0,
    );
    // Keeps what was typed while the request was under way.
    base.current = form;
    stored.replace(response);
    setSaved(true);
  });
  useLeaveGuard(isChanged && !save.isBusy);
  const discard = () => {
    if (data) history.edit(() => toForm(data));
    save.clear();
  };
  return (
    <>
      <PageHeader
        title={id === undefined ? 'New ad source' : name}
        parent={{ name: 'Ad sources', path: '/ad-sources' }}
      >
        {id === undefined ? null : (
          <>
            <HistoryLink kind="ad source" id={id} />
            <ConfirmationButton
              label="Delete"
              requires="tenant"
              title={`Delete ${name}?`}
              target={{ kind: 'ad source', id }}
              name={name}
              consequence={inUse ?? 'You can restore it for 24 hours.'}
              verb="Delete ad source"
              isHarmless
              lacks={inUse}
              act={remove}
            />
          </>
        )}
      </PageHeader>
      <LoadState of={stored} />
      {form === undefined ? null : (
        <Form isCard onSubmit={() => void save.run()}>
          {users.data ? (
            <p class="small">
              Used by: <ChannelLinks channels={users.data} total={users.total ?? users.data.length} />
            </p>
          ) : null}
          <AdSourceFields
            form={form}
            stored={data}
            errors={save.fields}
            onChange={(next) => {
              history.edit(() => next);
              setSaved(false);
            }}
          />
          <SaveError
            record="ad source"
            error={save.error}
            onLoadLatest={() => {
              save.clear();
              base.current = undefined;
              stored.reload();
            }}
          />
          {isSaved && !isChanged ? <Notice tone="good">Saved. Channels use it from the next break on.</Notice> : null}
          <footer>
            <Button
              type="submit"
              kind="primary"
              requires="tenant"
              isBusy={save.isBusy}
              isDisabled={id !== undefined && !isChanged}
              reason="There are no unsaved changes."
            >
              {id === undefined ? 'Create ad source' : 'Save'}
            </Button>
            {id === undefined ? null : (
              <Button isDisabled={!isChanged} reason="There are no unsaved changes." onClick={discard}>
                Discard changes
              </Button>
            )}
            <UndoButtons history={history} />
          </footer>
        </Form>
      )}
    </>
  );
}
