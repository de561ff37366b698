// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { PreviewCard } from '../player/PreviewCard.tsx';
import { PreviewStatus } from '../player/PreviewStatus.tsx';
import { usePreview } from '../player/usePreview.ts';
import type { SeekMessage } from '../preview/messages.ts';
import { ContentBar } from './ContentBar.tsx';

type VodPreviewProps = {
  readonly channel: ChannelResponse;
  /** `content` and `start` of the URL. */
  readonly target: Readonly<Record<string, string>>;
};
/** A seek of one session. */
type Seek = SeekMessage & { readonly sessionId: string };

/** Plays a title as a viewer, with a seek bar in content time. */
export function VodPreview({ channel, target }: VodPreviewProps) {
  const preview = usePreview(channel, target);
  const { opened, playback, failure } = preview;
  const [seek, setSeek] = useState<Seek>();
  const startAt = opened?.startSeconds ?? 0;
  return (
    <PreviewCard preview={preview} startAt={startAt} seek={seek?.sessionId === opened?.sessionId ? seek : undefined}>
      {opened === undefined ? null : (
        <ContentBar
          breaks={(opened.breaks ?? []).filter(({ duration }) => duration > 0)}
          duration={opened.contentDurationSeconds ?? 0}
          position={playback?.position ?? startAt}
          onSeek={(to) => {
            setSeek({ type: 'seek', to, sessionId: opened.sessionId });
            if (playback) preview.handleMessage({ ...playback, position: to });
          }}
        />
      )}
      <PreviewStatus {...{ playback, failure }} />
    </PreviewCard>
  );
}
