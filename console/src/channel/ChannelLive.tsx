import { useState } from 'preact/hooks';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { Notice } from '../parts/Notice.tsx';
import { Addresses } from './Addresses.tsx';
import { Health } from './Health.tsx';
import { Preparing } from './Preparing.tsx';
import { Preview } from './Preview.tsx';
import { TimelineCard } from './TimelineCard.tsx';
import { Viewers } from './Viewers.tsx';

/** What the channel shows now, what comes, and how it is. */
export function ChannelLive({ channel }: { readonly channel: ChannelAnswer }) {
  /** Where the preview's picture is on the clock, in milliseconds. */
  const [pictureAt, setPictureAt] = useState<number>();
  const isOff = channel.state === 'disabled';
  return (
    <div class="stack">
      {isOff ? <Notice tone="info">The channel is off. Viewers are refused until it is put on air.</Notice> : null}
      {channel.stateReason ? (
        <Notice tone={channel.state === 'failed' ? 'bad' : channel.preparation ? 'info' : 'warn'}>
          {channel.stateReason}
        </Notice>
      ) : null}
      {channel.preparation ? <Preparing preparation={channel.preparation} /> : null}
      <div class="columns">
        <Preview channel={channel} onPicture={setPictureAt} />
        <div class="stack">
          <Addresses channel={channel} />
          <Viewers channelId={channel.id} />
        </div>
      </div>
      {isOff ? null : <TimelineCard channelId={channel.id} pictureAt={pictureAt} />}
      <Health channel={channel} />
    </div>
  );
}
