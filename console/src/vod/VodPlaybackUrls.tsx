// SPDX-License-Identifier: Apache-2.0
import type { ChannelResponse } from '../../../src/http/channelContract.ts';
import { useInstallation } from '../api/installation.ts';
import { CopyLine } from '../components/buttons/CopyLine.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { playbackUrls } from '../logic/channels/playbackUrls.ts';
import { type VodTarget, vodParameters } from '../logic/vod/vodTarget.ts';

type VodPlaybackUrlsProps = {
  readonly channel: ChannelResponse;
  readonly target: VodTarget;
  /** Whether the playlist has a placeholder, or the channel has no playlist. */
  readonly hasPlaceholder: boolean;
  onChange(target: VodTarget): void;
};

const describeHosts = ({ contentHosts = [] }: ChannelResponse): string =>
  contentHosts.length === 0
    ? 'This channel has no content hosts. Add them under Settings.'
    : `Fills the placeholder. Allowed hosts: ${contentHosts.join(', ')}.`;

/** What to play, and the URLs that open it. */
export function VodPlaybackUrls({ channel, target, hasPlaceholder, onChange }: VodPlaybackUrlsProps) {
  const { liveUrl } = useInstallation();
  const { hls, hlsSession, dashSession } = playbackUrls(liveUrl, channel, vodParameters(target));
  return (
    <section class="card stack">
      <h2>Playback URLs</h2>
      {hasPlaceholder ? (
        <TextField
          label="Content URL"
          type="url"
          value={target.content}
          placeholder="https://media.example.com/film/master.m3u8"
          hint={describeHosts(channel)}
          onInput={(content) => onChange({ ...target, content })}
        />
      ) : null}
      <TextField
        label="Start (s)"
        inputMode="decimal"
        value={target.start}
        hint="Seconds of content before the start. Leave empty to start at the beginning."
        onInput={(start) => onChange({ ...target, start })}
      />
      <div>
        <CopyLine name="HLS" text={hls} />
        <CopyLine name="HLS session" text={hlsSession} />
        <CopyLine name="DASH session" text={dashSession} />
        <CopyLine name="Channel key" text={channel.apiKey ?? ''} />
        {channel.signingSecret && <p class="small">This channel requires signed URLs. Add exp and sig.</p>}
        <p class="small muted">Session URLs return the manifest URL and the breaks of the session.</p>
      </div>
    </section>
  );
}
