// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { channelDefaults } from '../../../src/http/contract/channelValues.ts';
import { useInstallation } from '../api/installation.ts';
import { insertionNames } from '../channels/insertionNames.ts';
import { CopyLine } from '../components/buttons/CopyButton.tsx';
import { playbackUrls } from './playbackUrls.ts';

type PlaybackUrlsProps = {
  readonly channel: ChannelResponse;
  /** Further query parameters: `content` and `start` of VoD. */
  readonly target?: Readonly<Record<string, string>>;
};

/** The URLs that open a channel or a title. */
export function PlaybackUrls({ channel, target = {} }: PlaybackUrlsProps) {
  const { liveUrl } = useInstallation();
  const { hls, hlsSession, dashSession } = playbackUrls(liveUrl, channel, target);
  return (
    <section class="card">
      <h2>Playback URLs</h2>
      <CopyLine name="HLS" text={hls} />
      <CopyLine name="HLS session" text={hlsSession} />
      <CopyLine name="DASH session" text={dashSession} />
      <CopyLine name="Channel key" text={channel.apiKey ?? ''} />
      {channel.signingSecret && <p class="small">This channel requires signed URLs. Add exp and sig.</p>}
      <p class="small">Ad insertion: {insertionNames[channel.insertion ?? channelDefaults.insertion].toLowerCase()}</p>
      <p class="small muted">
        {channel.type === 'vod'
          ? 'Session URLs return a manifest URL, a VAST URL and the breaks of the session.'
          : 'Session URLs return a manifest URL and a VAST URL.'}
      </p>
    </section>
  );
}
