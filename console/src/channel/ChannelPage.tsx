// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import type { ChannelBody, ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { type ApiResponse, call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { HistoryLink } from '../audit/HistoryLink.tsx';
import { ChannelBadge } from '../channels/ChannelBadge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { formatDuration } from '../format/time.ts';
import { useChannelKeys } from '../palette/channelPaths.ts';
import { VodChannel } from '../vod/VodChannel.tsx';
import { ChannelLive } from './ChannelLive.tsx';
import { ChannelSettings } from './ChannelSettings.tsx';
import './channel.css';
import { useAction } from '../api/useAction.ts';
import { showToast } from '../components/feedback/Toasts.tsx';
import { Toggle } from '../components/forms/Toggle.tsx';
import { ConfirmationDialog } from '../confirmations/ConfirmationDialog.tsx';
import { readViewers } from '../confirmations/useAffected.ts';
import { lazily } from '../navigation/lazily.tsx';
import { SchedulePage } from '../schedule/SchedulePage.tsx';
import { TryPage } from '../tries/TryPage.tsx';

const DistributorsTab = lazily(async () => (await import('../distributors/DistributorsTab.tsx')).DistributorsTab);

/** Whether nothing is being prepared and no problem is reported. */
const isSteady = ({ state, stateReason, preparation, items = [], titles = [] }: ChannelResponse): boolean =>
  state === 'disabled' ||
  ((stateReason ?? preparation) === undefined && [...items, ...titles].every((each) => each.state !== 'importing'));

/** One channel: what it plays, and its settings. */
export function ChannelPage({ id }: { readonly id: string }) {
  const path = `/channels/${encodeURIComponent(id)}`;
  const tab = new URLSearchParams(useSearch()).get('tab');
  /** Tabs other than the first one have a name in the address. */
  const isFirst = !['schedule', 'try', 'distributors', 'settings'].includes(tab ?? '');
  const [interval, changeInterval] = useState<number>(POLL.urgent);
  const channel = useGet('/channels/{id}', { path: { id } }, interval);
  const { data, replace } = channel;
  /** The response of the on-air switch, which changes the version that the settings edit. */
  const [switched, setSwitched] = useState<ApiResponse<ChannelResponse>>();
  const steady = data !== undefined && isSteady(data);
  useChannelKeys({
    l: path,
    t: `${path}?tab=try`,
    e: `${path}?tab=settings`,
    ...(data?.type === 'vod2live' ? { h: `${path}?tab=schedule`, w: `${path}/programme` } : {}),
  });
  useEffect(() => changeInterval(steady ? POLL.normal : POLL.urgent), [steady]);
  return (
    <>
      <PageHeader
        title={data?.name || id}
        badge={data ? <ChannelBadge channel={data} /> : null}
        parent={{ name: 'Channels', path: '/channels' }}
      >
        <HistoryLink kind="channel" id={id} />
        {data ? (
          <OnAirSwitch
            channel={data}
            onChanged={(response) => {
              replace(response);
              setSwitched(response);
            }}
          />
        ) : null}
      </PageHeader>
      <Tabs
        label="Channel"
        tabs={[
          { name: data?.type === 'vod' ? 'Playback' : 'Live', path, isCurrent: isFirst },
          ...(data?.type === 'vod2live' || tab === 'schedule'
            ? [{ name: 'Schedule', path: `${path}?tab=schedule`, isCurrent: tab === 'schedule' }]
            : []),
          ...(data?.type === 'vod2live' ? [{ name: 'Programme', path: `${path}/programme`, isCurrent: false }] : []),
          { name: 'Try ads', path: `${path}?tab=try`, isCurrent: tab === 'try' },
          ...(data?.type === 'vod'
            ? []
            : [{ name: 'Distributors', path: `${path}?tab=distributors`, isCurrent: tab === 'distributors' }]),
          { name: 'Settings', path: `${path}?tab=settings`, isCurrent: tab === 'settings' },
        ]}
      />
      {tab === 'schedule' ? <ErrorNotice error={channel.error} /> : <LoadState of={channel} />}
      {tab === 'schedule' ? <SchedulePage channelId={id} /> : null}
      {data && tab === 'try' ? <TryPage channel={data} /> : null}
      {tab === 'distributors' ? <DistributorsTab channelId={id} /> : null}
      {data && isFirst ? data.type === 'vod' ? <VodChannel channel={data} /> : <ChannelLive channel={data} /> : null}
      {data && tab === 'settings' ? <ChannelSettings id={id} switched={switched} onSaved={replace} /> : null}
    </>
  );
}

type OnAirSwitchProps = { readonly channel: ChannelResponse; onChanged(response: ApiResponse<ChannelResponse>): void };

/** Puts a channel on air or takes it off air; enables or disables a VoD channel. It asks first if viewers watch. */
function OnAirSwitch({ channel, onChanged }: OnAirSwitchProps) {
  const { id, type, state } = channel;
  const name = channel.name || id;
  const [requested, setRequested] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { offAirGrace } = useInstallation();
  const set = async (next: NonNullable<ChannelBody['state']>) => {
    const body: ChannelBody = { state: next };
    onChanged(await call('PATCH', '/channels/{id}', { path: { id }, body }));
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
          consequence={`Playback stops. Sessions continue if you enable it again within ${formatDuration(offAirGrace)}.`}
          verb="Disable channel"
          act={disable}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
