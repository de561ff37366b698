// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ApiResponse, call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';

type OnAirSwitchProps = { readonly channel: ChannelResponse; onChanged(response: ApiResponse<ChannelResponse>): void };

/** Puts a channel on air or takes it off air; enables or disables a VoD channel. */
export function OnAirSwitch({ channel, onChanged }: OnAirSwitchProps) {
  const { id, type, state } = channel;
  const [requested, setRequested] = useState(false);
  const change = useAction(async (isOn: boolean) => {
    const body: ChannelBody = { state: isOn ? 'enabled' : 'disabled' };
    onChanged(await call<ChannelResponse>('PATCH', `/channels/${encodeURIComponent(id)}`, { body }));
  });
  return (
    <>
      <ErrorNotice error={change.error} />
      <Toggle
        label={type === 'vod' ? 'Enabled' : 'On air'}
        // Shows the requested state while the request is under way.
        isOn={change.isBusy ? requested : state !== 'disabled'}
        isDisabled={change.isBusy}
        onChange={(isOn) => {
          setRequested(isOn);
          void change.run(isOn);
        }}
      />
    </>
  );
}
