// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/channelContract.ts';
import { useInstallation } from '../api/installation.ts';
import { CopyLine } from '../components/buttons/CopyLine.tsx';
import { playbackUrls } from '../logic/channels/playbackUrls.ts';

export function PlaybackUrls({ channel }: { readonly channel: ChannelResponse }) {
  const { liveUrl } = useInstallation();
  const { hls, hlsSession, dashSession } = playbackUrls(liveUrl, channel);
  return (
    <section class="card">
      <h2>Playback URLs</h2>
      <CopyLine name="HLS" text={hls} />
      <CopyLine name="HLS session" text={hlsSession} />
      <CopyLine name="DASH session" text={dashSession} />
      <CopyLine name="Channel key" text={channel.apiKey ?? ''} />
      {channel.signingSecret && <p class="small">This channel requires signed URLs. Add exp and sig.</p>}
      <p class="small muted">Session URLs return a manifest URL and a VAST URL.</p>
    </section>
  );
}
