// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ApiResponse, call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/toastStore.ts';
import { Toggle } from '../components/forms/Toggle.tsx';
import { ConfirmationDialog } from '../confirmations/ConfirmationDialog.tsx';
import { readViewers } from '../confirmations/useAffected.ts';

type OnAirSwitchProps = { readonly channel: ChannelResponse; onChanged(response: ApiResponse<ChannelResponse>): void };

/** Puts a channel on air or takes it off air; enables or disables a VoD channel. It asks first if viewers watch. */
export function OnAirSwitch({ channel, onChanged }: OnAirSwitchProps) {
  const { id, type, state } = channel;
  const name = channel.name || id;
  const [requested, setRequested] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const set = async (next: NonNullable<ChannelBody['state']>) => {
    const body: ChannelBody = { state: next };
    onChanged(await call<ChannelResponse>('PATCH', `/channels/${encodeURIComponent(id)}`, { body }));
  };
  const disable = async () => {
    await set('disabled');
    showToast({ text: `${name} disabled.`, undo: () => set('enabled'), undone: `${name} enabled.` });
  };
  const change = useAction(async (isOn: boolean) => {
    if (isOn) return set('enabled');
    if ((await readViewers(id)) === 0) return disable();
    setAsking(true);
  });
  return (
    <>
      <ErrorNotice error={change.error} />
      <Toggle
        label={type === 'vod' ? 'Enabled' : 'On air'}
        // Shows the requested state while the request is under way.
        isOn={change.isBusy ? requested : state !== 'disabled'}
        isDisabled={change.isBusy}
        requires="operate"
        onChange={(isOn) => {
          setRequested(isOn);
          void change.run(isOn);
        }}
      />
      {isAsking ? (
        <ConfirmationDialog
          title={`Disable ${name}?`}
          target={{ kind: 'channel', id }}
          name={name}
          consequence="Playback stops. Sessions continue if you enable it again within OFF_AIR_GRACE (10 minutes by default)."
          verb="Disable channel"
          act={disable}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
