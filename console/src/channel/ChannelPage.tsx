import { useEffect, useState } from 'preact/hooks';
import { useSearch } from 'wouter-preact';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import type { Answer } from '../api/call.ts';
import { useGet } from '../api/useGet.ts';
import { Loading } from '../parts/Loading.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { PageHead } from '../parts/PageHead.tsx';
import { StateBadge } from '../parts/StateBadge.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { ChannelLive } from './ChannelLive.tsx';
import { ChannelSettings } from './ChannelSettings.tsx';
import { OnAirSwitch } from './OnAirSwitch.tsx';
import './channel.css';

/** What is coming on air or in trouble is looked at more often. */
const EVERY = { calm: 10_000, astir: 3000 };

/** One channel: what it shows, and how it is set. */
export function ChannelPage({ id }: { readonly id: string }) {
  const path = `/channels/${encodeURIComponent(id)}`;
  const isSettings = new URLSearchParams(useSearch()).get('tab') === 'settings';
  const [every, setEvery] = useState(EVERY.astir);
  const { data, error, isLoading, reload, take } = useGet<ChannelAnswer>(path, every);
  /** What was changed here, beside the settings. */
  const [switched, setSwitched] = useState<Answer<ChannelAnswer>>();
  const isCalm =
    data !== undefined && (data.state === 'disabled' || (data.stateReason ?? data.preparation) === undefined);
  useEffect(() => setEvery(isCalm ? EVERY.calm : EVERY.astir), [isCalm]);
  return (
    <>
      <PageHead
        title={data?.name || id}
        badge={data ? <StateBadge channel={data} /> : null}
        parent={{ name: 'Channels', path: '/' }}
      >
        {data ? (
          <OnAirSwitch
            channel={data}
            onChanged={(answer) => {
              take(answer);
              setSwitched(answer);
            }}
          />
        ) : null}
      </PageHead>
      <Tabs
        label="Parts of the channel"
        tabs={[
          { name: 'Live', path, isHere: !isSettings },
          { name: 'Settings', path: `${path}?tab=settings`, isHere: isSettings },
        ]}
      />
      <ErrorNotice error={error} onRetry={reload} />
      {isLoading ? <Loading /> : null}
      {data && !isSettings ? <ChannelLive channel={data} /> : null}
      {data && isSettings ? <ChannelSettings id={id} switched={switched} onSaved={take} /> : null}
    </>
  );
}
