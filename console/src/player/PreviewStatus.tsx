// SPDX-License-Identifier: Apache-2.0
import { serverNow } from '../api/serverClock.ts';
import { Notice } from '../components/feedback/Notice.tsx';
import type { PlaybackState } from '../preview/messages.ts';

type PreviewStatusProps = {
  readonly playback: PlaybackState | undefined;
  readonly failure: string | undefined;
  /** The position of the picture on the channel's clock; undefined for VoD. */
  readonly latencyFrom?: number | undefined;
};

/** The state of the preview in one line. */
export function PreviewStatus({ playback, failure, latencyFrom }: PreviewStatusProps) {
  if (failure !== undefined) return <Notice tone="bad">{failure}</Notice>;
  if (playback === undefined) return <p class="status">Loading player…</p>;
  const { isPlaying, height, buffered } = playback;
  const latency = latencyFrom === undefined ? undefined : (serverNow() - latencyFrom) / 1000;
  const facts = [
    isPlaying ? 'Playing' : 'Paused or buffering',
    ...(latency === undefined ? [] : [`${latency.toFixed(1)} s behind live`]),
    ...(height === undefined ? [] : [`${height}p`]),
    `${buffered.toFixed(1)} s buffered`,
  ];
  return (
    <p class="status" data-playing={isPlaying}>
      {facts.join(', ')}
    </p>
  );
}
