// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { ApiResponse } from '../api/call.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { ChannelBadge } from '../components/feedback/ChannelBadge.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { PageHeader } from '../components/layout/PageHeader.tsx';
import { Tabs } from '../components/layout/Tabs.tsx';
import { LazyTry } from '../tries/LazyTry.tsx';
import { VodChannel } from '../vod/VodChannel.tsx';
import { ChannelLive } from './ChannelLive.tsx';
import { ChannelSettings } from './ChannelSettings.tsx';
import { OnAirSwitch } from './OnAirSwitch.tsx';
import './channel.css';

/** Whether nothing is being prepared and no problem is reported. */
const isSteady = ({ state, stateReason, preparation, items = [], titles = [] }: ChannelResponse): boolean =>
  state === 'disabled' ||
  ((stateReason ?? preparation) === undefined && [...items, ...titles].every((each) => each.state !== 'importing'));

/** One channel: what it plays, and its settings. */
export function ChannelPage({ id }: { readonly id: string }) {
  const path = `/channels/${encodeURIComponent(id)}`;
  const tab = new URLSearchParams(useSearch()).get('tab');
  const isSettings = tab === 'settings';
  const isTry = tab === 'try';
  const [interval, changeInterval] = useState<number>(POLL.urgent);
  const channel = useGet<ChannelResponse>(path, interval);
  const { data, replace } = channel;
  /** The response of the on-air switch, which changes the version that the settings edit. */
  const [switched, setSwitched] = useState<ApiResponse<ChannelResponse>>();
  const steady = data !== undefined && isSteady(data);
  useEffect(() => changeInterval(steady ? POLL.normal : POLL.urgent), [steady]);
  return (
    <>
      <PageHeader
        title={data?.name || id}
        badge={data ? <ChannelBadge channel={data} /> : null}
        parent={{ name: 'Channels', path: '/' }}
      >
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
          { name: data?.type === 'vod' ? 'Playback' : 'Live', path, isCurrent: !isSettings && !isTry },
          { name: 'Try ads', path: `${path}?tab=try`, isCurrent: isTry },
          { name: 'Settings', path: `${path}?tab=settings`, isCurrent: isSettings },
        ]}
      />
      <LoadState of={channel} />
      {data && isTry ? <LazyTry channel={data} /> : null}
      {data && !isSettings && !isTry ? (
        data.type === 'vod' ? (
          <VodChannel channel={data} />
        ) : (
          <ChannelLive channel={data} />
        )
      ) : null}
      {data && isSettings ? <ChannelSettings id={id} switched={switched} onSaved={replace} /> : null}
    </>
  );
}
