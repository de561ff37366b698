// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ApiResponse, call } from '../api/call.ts';
import { saveOnce } from '../api/saveOnce.ts';
import { useAction } from '../api/useAction.ts';
import { useGet } from '../api/useGet.ts';
import { type ChannelForm, channelPatch, fromForm, toForm } from '../channels/channelForm.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { Form, SaveError } from '../components/forms/Form.tsx';
import { editedSetting, rebase } from '../components/forms/settings.ts';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { useDeletion } from '../confirmations/useDeletion.ts';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { takeTag } from '../tries/usedTag.ts';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
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
  const [isSaved, setSaved] = useState(false);
  const history = useHistory<ChannelForm>(undefined, editedSetting, () => {
    save.clear();
    setSaved(false);
  });
  const form = history.value;
  /** The form without edits. */
  const base = useRef<ChannelForm>();
  useEffect(() => {
    if (!stored.data) return;
    const latest = toForm(stored.data);
    const previous = base.current;
    base.current = latest;
    if (form && previous) return history.map((edited) => rebase(edited, previous, latest));
    history.start(latest);
    const tag = takeTag(id);
    if (tag !== undefined) history.edit((edited) => ({ ...edited, adUrl: tag }));
  }, [stored.data]);
  useEffect(() => {
    // If the version grew by more than one, someone else has edited the channel: saving must report that.
    if (switched && switched.body.__v - 1 === stored.data?.__v) stored.replace(switched);
  }, [switched]);

  const patch = form && stored.data ? channelPatch(toForm(stored.data), form) : {};
  const isChanged = Object.keys(patch).length > 0;
  const save = useAction(async () => {
    const response = await saveOnce(
      () => call('PATCH', '/channels/{id}', { path, body: patch, ifMatch: stored.etag }),
      () => call('GET', '/channels/{id}', { path }),
      (latest) => form !== undefined && JSON.stringify(fromForm(toForm(latest))) === JSON.stringify(fromForm(form)),
    );
    // Keeps what was typed while the request was under way.
    base.current = form;
    stored.replace(response);
    onSaved(response);
    setSaved(true);
  });
  useLeaveGuard(isChanged && !save.isBusy);
  const name = stored.data?.name || id;
  const remove = useDeletion('/channels', id, name);
  if (form === undefined) return stored.error ? <ErrorNotice error={stored.error} /> : <Loading />;
  return (
    <Form isCard onSubmit={() => void save.run()}>
      <ChannelFields
        form={form}
        errors={save.fields}
        isNew={false}
        onChange={(next) => {
          history.edit(() => next);
          setSaved(false);
        }}
      />
      <SaveError
        record="channel"
        error={save.error}
        onLoadLatest={() => {
          save.clear();
          base.current = undefined;
          stored.reload();
        }}
      />
      {isSaved && !isChanged ? (
        <Notice tone="good">
          {form.type === 'vod' ? 'Saved. New sessions get the changes.' : 'Saved. Changes go on air within seconds.'}
        </Notice>
      ) : null}
      <footer>
        <Button
          type="submit"
          kind="primary"
          requires="manage"
          isBusy={save.isBusy}
          isDisabled={!isChanged}
          reason="There are no unsaved changes."
        >
          Save
        </Button>
        <Button
          isDisabled={!isChanged}
          reason="There are no unsaved changes."
          onClick={() => {
            const { data } = stored;
            if (data) history.edit(() => toForm(data));
            save.clear();
          }}
        >
          Discard changes
        </Button>
        <UndoButtons history={history} />
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
      </footer>
    </Form>
  );
}
