import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { type Answer, call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { ErrorNotice } from '../parts/Notice.tsx';
import { Toggle } from '../parts/Toggle.tsx';

type OnAirSwitchProps = { readonly channel: ChannelAnswer; onChanged(answer: Answer<ChannelAnswer>): void };

/** Puts a channel on air and takes it off. */
export function OnAirSwitch({ channel, onChanged }: OnAirSwitchProps) {
  const { id, state } = channel;
  const [wanted, setWanted] = useState(false);
  const change = useAction(async (isOn: boolean) => {
    const body = { state: isOn ? 'enabled' : 'disabled' };
    onChanged(await call<ChannelAnswer>('PATCH', `/channels/${encodeURIComponent(id)}`, { body }));
  });
  return (
    <>
      <ErrorNotice error={change.error} />
      <Toggle
        label="On air"
        // What was asked for, as long as that is on its way.
        isOn={change.isBusy ? wanted : state !== 'disabled'}
        isDisabled={change.isBusy}
        onChange={(isOn) => {
          setWanted(isOn);
          void change.run(isOn);
        }}
      />
    </>
  );
}
