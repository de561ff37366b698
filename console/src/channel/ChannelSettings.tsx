// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ApiResponse, call } from '../api/call.ts';
import { useGet } from '../api/useGet.ts';
import { type ChannelForm, channelPatch, toForm } from '../channels/channelForm.ts';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { Form, SaveError } from '../components/forms/Form.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { useDeletion } from '../confirmations/useDeletion.ts';
import { takeTag } from '../tries/usedTag.ts';
import { RecordFooter, useRecordForm } from '../undo/RecordForm.tsx';
import { ChannelFields } from './ChannelFields.tsx';

type ChannelSettingsProps = {
  readonly id: string;
  /** The response of the on-air switch, which is used next to the form. */
  readonly switched: ApiResponse<ChannelResponse> | undefined;
  onSaved(response: ApiResponse<ChannelResponse>): void;
};

/** The settings of a channel. Saving sends only what was edited, and only to the version that was read. */
export function ChannelSettings({ id, switched, onSaved }: ChannelSettingsProps) {
  const path = { id };
  const stored = useGet('/channels/{id}', { path });
  const record = useRecordForm<ChannelResponse, ChannelForm>({
    stored,
    toForm,
    patchOf: (channel, edited) => channelPatch(toForm(channel), edited),
    write: (body) => call('PATCH', '/channels/{id}', { path, body, ifMatch: stored.etag }),
    read: () => call('GET', '/channels/{id}', { path }),
    onSaved,
  });
  const { form, save } = record;
  useEffect(() => {
    const tag = stored.data && takeTag(id);
    if (tag !== undefined) record.edit((edited) => ({ ...edited, adUrl: tag }));
  }, [stored.data]);
  useEffect(() => {
    // If the version grew by more than one, someone else has edited the channel: saving must report that.
    if (switched && switched.body.__v - 1 === stored.data?.__v) stored.replace(switched);
  }, [switched]);
  const name = stored.data?.name || id;
  const remove = useDeletion('/channels', id, name);
  if (form === undefined) return stored.error ? <ErrorNotice error={stored.error} /> : <Loading />;
  return (
    <Form isCard onSubmit={() => void save.run()}>
      <ChannelFields form={form} errors={save.fields} isNew={false} onChange={(next) => record.edit(() => next)} />
      <SaveError record="channel" error={save.error} onLoadLatest={record.loadLatest} />
      {record.isSaved ? (
        <Notice tone="good">
          {form.type === 'vod' ? 'Saved. New sessions get the changes.' : 'Saved. Changes go on air within seconds.'}
        </Notice>
      ) : null}
      <RecordFooter of={record} requires="manage">
        <ConfirmationButton
          label="Delete channel"
          requires="manage"
          title={`Delete ${name}?`}
          target={{ kind: 'channel', id }}
          name={name}
          consequence="Playback ends for all viewers. You can restore the channel for 24 hours."
          verb="Delete channel"
          act={remove}
        />
      </RecordFooter>
    </Form>
  );
}
