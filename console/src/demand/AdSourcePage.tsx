// SPDX-License-Identifier: Apache-2.0
import { useLocation } from 'wouter-preact';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { HistoryLink } from '../audit/HistoryLink.tsx';
import { Button } from '../components/buttons/Button.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Form, FormError, SaveError } from '../components/forms/Form.tsx';
import { editedSetting } from '../components/forms/settings.ts';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { useDeletion } from '../confirmations/useDeletion.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { RecordFooter, useRecordForm } from '../undo/RecordForm.tsx';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
import { AdSourceFields } from './AdSourceFields.tsx';
import { fromForm, sourcePatch, toForm } from './adSourceForm.ts';
import { ChannelLinks, LISTED } from './ChannelLinks.tsx';

const parent = { name: 'Ad sources', path: '/ad-sources' };
const empty = toForm({});

export function NewAdSourcePage() {
  const history = useHistory(empty, editedSetting, () => create.clear());
  const form = history.value ?? empty;
  const [, navigate] = useLocation();
  const create = useAction(async () => {
    const { body: created } = await call('POST', '/ad-sources', { body: fromForm(form) });
    navigate(`/ad-sources/${encodeURIComponent(created.id)}`);
  });
  useLeaveGuard(JSON.stringify(form) !== JSON.stringify(empty) && !create.isBusy);
  return (
    <>
      <PageHeader title="New ad source" parent={parent} />
      <Form isCard onSubmit={() => void create.run()}>
        <AdSourceFields
          form={form}
          stored={undefined}
          errors={create.fields}
          onChange={(next) => history.edit(() => next)}
        />
        <FormError error={create.error} />
        <footer>
          <Button type="submit" kind="primary" requires="tenant" isBusy={create.isBusy}>
            Create ad source
          </Button>
          <UndoButtons history={history} />
        </footer>
      </Form>
    </>
  );
}

/** Edits an ad source. */
export function AdSourcePage({ id }: { readonly id: string }) {
  const path = { id };
  const stored = useGet('/ad-sources/{id}', { path });
  const users = useGet('/channels', { query: { adSource: id, limit: LISTED } });
  const inUse = users.data?.length ? 'Remove it from the steps of these channels first.' : undefined;
  const { data } = stored;
  const name = data?.name || id;
  const remove = useDeletion('/ad-sources', id, name);
  const record = useRecordForm({
    stored,
    toForm,
    patchOf: sourcePatch,
    write: (body) => call('PATCH', '/ad-sources/{id}', { path, body, ifMatch: stored.etag }),
    read: () => call('GET', '/ad-sources/{id}', { path }),
  });
  const { form, save } = record;
  return (
    <>
      <PageHeader title={name} parent={parent}>
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
      </PageHeader>
      <LoadState of={stored} />
      {form === undefined ? null : (
        <Form isCard onSubmit={() => void save.run()}>
          {users.data ? (
            <p class="small">
              Used by: <ChannelLinks channels={users.data} total={users.total ?? users.data.length} />
            </p>
          ) : null}
          <AdSourceFields form={form} stored={data} errors={save.fields} onChange={(next) => record.edit(() => next)} />
          <SaveError record="ad source" error={save.error} onLoadLatest={record.loadLatest} />
          {record.isSaved ? <Notice tone="good">Saved. Channels use it from the next break on.</Notice> : null}
          <RecordFooter of={record} requires="tenant" />
        </Form>
      )}
    </>
  );
}
