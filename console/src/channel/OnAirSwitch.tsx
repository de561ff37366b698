import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { ErrorNotice } from '../parts/Notice.tsx';
import { Toggle } from '../parts/Toggle.tsx';

type OnAirSwitchProps = { readonly channel: ChannelAnswer; onChanged(): void };

/** Puts a channel on air and takes it off. */
export function OnAirSwitch({ channel, onChanged }: OnAirSwitchProps) {
  const { id, state } = channel;
  const change = useAction(async (isOn: boolean) => {
    const body = { state: isOn ? 'enabled' : 'disabled' };
    await call('PATCH', `/channels/${encodeURIComponent(id)}`, { body });
    onChanged();
  });
  return (
    <>
      <ErrorNotice error={change.error} />
      <Toggle
        label="On air"
        isOn={state !== 'disabled'}
        isDisabled={change.isBusy}
        onChange={(isOn) => void change.run(isOn)}
      />
    </>
  );
}
