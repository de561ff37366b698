import { useState } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { useLeaveGuard } from '../api/useLeaveGuard.ts';
import { fromForm, toForm } from '../logic/channelForm.ts';
import { Button } from '../parts/Button.tsx';
import { FormError } from '../parts/FormError.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { Toggle } from '../parts/Toggle.tsx';
import { ChannelFields } from './ChannelFields.tsx';

/** Makes a channel and puts it on air. */
export function NewChannelPage() {
  const playlistId = new URLSearchParams(useSearch()).get('playlist') ?? '';
  const [empty] = useState(() => toForm({ playlistId }));
  const [form, setForm] = useState(empty);
  const [isOn, setOn] = useState(true);
  const [, go] = useLocation();
  const create = useAction(async () => {
    const body = { ...fromForm(form), state: isOn ? 'enabled' : 'disabled' };
    const { body: channel } = await call<ChannelAnswer>('POST', '/channels', { body });
    go(`/channels/${encodeURIComponent(channel.id)}`);
  });
  useLeaveGuard(JSON.stringify(form) !== JSON.stringify(empty) && !create.isBusy);
  return (
    <>
      <PageHead title="New channel" parent={{ name: 'Channels', path: '/' }} />
      <form
        class="card form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <ChannelFields form={form} errors={create.fields} isNew onChange={setForm} />
        <Toggle label="Put it on air at once" isOn={isOn} onChange={(next) => setOn(next)} />
        <FormError error={create.error} />
        <footer>
          <Button type="submit" kind="primary" isBusy={create.isBusy}>
            Create the channel
          </Button>
        </footer>
      </form>
    </>
  );
}
