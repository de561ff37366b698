// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { PlaylistResponse } from '../../../src/http/contract/playlistContract.ts';
import { useGet } from '../api/useGet.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import { PlaybackUrls } from '../player/PlaybackUrls.tsx';
import { PlaylistItems } from '../playlists/PlaylistItems.tsx';
import { LatestSessions } from '../sessions/LatestSessions.tsx';
import { TitleImports } from './TitleImports.tsx';
import { ViewResponse } from './ViewResponse.tsx';
import { VodPreview } from './VodPreview.tsx';
import { VodTargetFields } from './VodTargetFields.tsx';
import { type VodTarget, vodParameters } from './vodTarget.ts';
import './vod.css';

/** A preview of a VoD channel, its playback URLs, its titles and the items of its playlist. */
export function VodChannel({ channel }: { readonly channel: ChannelResponse }) {
  const { playlistId, state, stateReason, titles = [] } = channel;
  const playlist = useGet<PlaylistResponse>(
    playlistId === undefined ? null : `/playlists/${encodeURIComponent(playlistId)}`,
  );
  const [target, setTarget] = useState<VodTarget>({ content: '', start: '' });
  const hasPlaceholder =
    playlistId === undefined || (playlist.data?.contents ?? []).some(({ sourceType }) => sourceType === 'placeholder');
  const parameters = vodParameters(target);
  return (
    <div class="stack">
      {state === 'disabled' ? <Notice tone="info">This channel is disabled. Players cannot open it.</Notice> : null}
      {stateReason ? <Notice tone={state === 'failed' ? 'bad' : 'warn'}>{stateReason}</Notice> : null}
      <VodTargetFields {...{ channel, target, hasPlaceholder }} onChange={setTarget} />
      <div class="columns">
        <div class="stack">
          <VodPreview channel={channel} target={parameters} />
          <ViewResponse channel={channel} target={parameters} />
        </div>
        <div class="stack">
          <PlaybackUrls channel={channel} target={parameters} />
          <LatestSessions channelId={channel.id} />
        </div>
      </div>
      {playlistId === undefined ? null : <PlaylistItems channel={channel} />}
      {hasPlaceholder || titles.length > 0 ? <TitleImports titles={titles} /> : null}
    </div>
  );
}
