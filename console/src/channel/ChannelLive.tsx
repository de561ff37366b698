// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { BreaksCard } from '../live/BreaksCard.tsx';
import { OriginCard } from '../live/OriginCard.tsx';
import { PlaybackUrls } from '../player/PlaybackUrls.tsx';
import { PlaylistItems } from '../playlists/PlaylistItems.tsx';
import { LatestSessions } from '../sessions/LatestSessions.tsx';
import { PreparationProgress } from './PreparationProgress.tsx';
import { Preview } from './Preview.tsx';
import { TimelineCard } from './TimelineCard.tsx';

/** The preview, the schedule and the status of a channel. */
export function ChannelLive({ channel }: { readonly channel: ChannelResponse }) {
  /** The position of the preview on the channel's clock, in milliseconds. */
  const [pictureAt, setPictureAt] = useState<number>();
  const isOffAir = channel.state === 'disabled';
  return (
    <div class="stack">
      {isOffAir ? <Notice tone="info">This channel is off air. Players cannot open it.</Notice> : null}
      {channel.stateReason ? (
        <Notice tone={channel.state === 'failed' ? 'bad' : channel.preparation ? 'info' : 'warn'}>
          {channel.stateReason}
        </Notice>
      ) : null}
      {channel.preparation ? <PreparationProgress preparation={channel.preparation} /> : null}
      <div class="columns">
        <Preview channel={channel} onPicture={setPictureAt} />
        <div class="stack">
          <PlaybackUrls channel={channel} />
          <LatestSessions channelId={channel.id} />
        </div>
      </div>
      {channel.type === 'live' ? (
        <>
          <BreaksCard channel={channel} />
          <OriginCard channel={channel} />
        </>
      ) : (
        <>
          {isOffAir ? null : <TimelineCard channelId={channel.id} pictureAt={pictureAt} />}
          <BreaksCard channel={channel} />
          <PlaylistItems channel={channel} />
        </>
      )}
    </div>
  );
}
