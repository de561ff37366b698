// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { PreviewCard } from '../player/PreviewCard.tsx';
import { PreviewStatus } from '../player/PreviewStatus.tsx';
import { usePreview } from '../player/usePreview.ts';

type PreviewProps = { readonly channel: ChannelResponse; onPicture(at: number | undefined): void };

/** Plays the channel as a viewer: with its own session, and with parameters for the ad server. */
export function Preview({ channel, onPicture }: PreviewProps) {
  const preview = usePreview(channel);
  const { playback, failure } = preview;
  const pictureAt = playback?.pictureAt;
  useEffect(() => onPicture(pictureAt), [pictureAt, onPicture]);
  return (
    <PreviewCard preview={preview}>
      <PreviewStatus {...{ playback, failure }} latencyFrom={pictureAt} />
    </PreviewCard>
  );
}
