// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { ChannelBody } from '../../../src/http/contract/channelContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { fromForm, toForm } from '../channels/channelForm.ts';
import { Button } from '../components/buttons/Button.tsx';
import { Form, FormError } from '../components/forms/Form.tsx';
import { editedSetting } from '../components/forms/settings.ts';
import { Toggle } from '../components/forms/Toggle.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { useLeaveGuard } from '../navigation/unsavedChanges.ts';
import { UndoButtons } from '../undo/UndoButtons.tsx';
import { useHistory } from '../undo/useHistory.ts';
import { ChannelFields } from './ChannelFields.tsx';

const types = ['vod', 'live'] as const;

export function NewChannelPage() {
  const query = new URLSearchParams(useSearch());
  const type = types.find((each) => each === query.get('type')) ?? 'vod2live';
  const [empty] = useState(() => toForm({ playlistId: query.get('playlist') ?? '', type }));
  const history = useHistory(empty, editedSetting, () => create.clear());
  const form = history.value ?? empty;
  const [isOnAir, setOnAir] = useState(true);
  const [, navigate] = useLocation();
  const create = useAction(async () => {
    const body: ChannelBody = { ...fromForm(form), state: isOnAir ? 'enabled' : 'disabled' };
    const { body: channel } = await call('POST', '/channels', { body });
    navigate(`/channels/${encodeURIComponent(channel.id)}`);
  });
  useLeaveGuard(JSON.stringify(form) !== JSON.stringify(empty) && !create.isBusy);
  return (
    <>
      <PageHeader title="New channel" parent={{ name: 'Channels', path: '/channels' }} />
      <Form isCard onSubmit={() => void create.run()}>
        <ChannelFields form={form} errors={create.fields} isNew onChange={(next) => history.edit(() => next)} />
        <Toggle
          label={form.type === 'vod' ? 'Enabled' : 'Start on air'}
          isOn={isOnAir}
          onChange={(next) => setOnAir(next)}
        />
        <FormError error={create.error} />
        <footer>
          <Button type="submit" kind="primary" requires="tenant" isBusy={create.isBusy}>
            Create channel
          </Button>
          <UndoButtons history={history} />
        </footer>
      </Form>
    </>
  );
}
