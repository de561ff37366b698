// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import type { Preparation } from '../../../src/http/contract/statusContract.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { ChannelProblems } from '../channels/ChannelProblems.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { Figure } from '../components/layout/Facts.tsx';
import { plural } from '../format/numbers.ts';
import { BreaksCard } from '../live/BreaksCard.tsx';
import { OriginCard } from '../live/OriginCard.tsx';
import { PlaybackUrls } from '../player/PlaybackUrls.tsx';
import { PreviewCard, type PreviewCardProps, PreviewStatus } from '../player/PreviewCard.tsx';
import { slateReason } from '../player/slateReason.ts';
import { usePreview } from '../player/usePreview.ts';
import { PlaylistItems } from '../playlists/PlaylistItems.tsx';
import { LatestSessions } from '../sessions/LatestSessions.tsx';
import { TimelineCard } from './TimelineCard.tsx';

/** The preview, the schedule and the status of a channel. */
export function ChannelLive({ channel }: { readonly channel: ChannelResponse }) {
  /** The position of the preview on the channel's clock, in milliseconds. */
  const [pictureAt, setPictureAt] = useState<number>();
  const [isCompared, setCompared] = useState(channel.insertion === 'guided');
  const isOffAir = channel.state === 'disabled';
  return (
    <div class="stack">
      {isOffAir ? <Notice tone="info">This channel is off air. Players cannot open it.</Notice> : null}
      <ChannelProblems channel={channel} />
      {channel.preparation ? <PreparationProgress preparation={channel.preparation} /> : null}
      <div class="columns">
        <Preview
          channel={channel}
          insertion="stitched"
          onPicture={setPictureAt}
          comparison={{ isOn: isCompared, set: setCompared }}
        />
        <div class="stack">
          {isCompared ? <Preview channel={channel} insertion="guided" /> : null}
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

type PreviewProps = Pick<PreviewCardProps, 'comparison'> & {
  readonly channel: ChannelResponse;
  readonly insertion: OpenedSession['insertion'];
  onPicture?(at: number | undefined): void;
};

/** Plays the channel as a viewer: with its own session, and with parameters for the ad server. */
function Preview({ channel, insertion, comparison, onPicture }: PreviewProps) {
  const preview = usePreview(channel, insertion);
  const { playback, failure } = preview;
  const pictureAt = playback?.pictureAt;
  useEffect(() => onPicture?.(pictureAt), [pictureAt, onPicture]);
  return (
    <PreviewCard preview={preview} comparison={comparison}>
      <PreviewStatus playback={playback} failure={failure} latencyFrom={pictureAt} />
      <SlateNotice channel={channel} sessionId={preview.opened?.sessionId} pictureAt={pictureAt} />
    </PreviewCard>
  );
}

const slateProgress = (jobsAhead: number | undefined): string => {
  if (jobsAhead === undefined) return 'Queued';
  return jobsAhead === 0 ? 'Encoding' : `Queued behind ${plural(jobsAhead, 'job')}`;
};

/** The progress of a channel, or of a change, before it goes on air. */
function PreparationProgress({ preparation }: { readonly preparation: Preparation }) {
  const { step, assets, assetsRead, jobsAhead } = preparation;
  return (
    <dl class="preparation">
      <Figure name={<span id="assets-imported">Assets imported</span>}>
        {assetsRead} of {assets}
        <progress max={Math.max(1, assets)} value={assets === 0 ? 1 : assetsRead} aria-labelledby="assets-imported" />
      </Figure>
      <Figure name="Slate">{step === 'slate' ? slateProgress(jobsAhead) : 'Waiting for assets'}</Figure>
    </dl>
  );
}

type SlateNoticeProps = {
  readonly channel: ChannelResponse;
  readonly sessionId: string | undefined;
  readonly pictureAt: number | undefined;
};

/** Below the picture while it shows slate: why. */
function SlateNotice({ channel, sessionId, pictureAt }: SlateNoticeProps) {
  const isPlaying = sessionId !== undefined && pictureAt !== undefined;
  const trace = useGet('/sessions/{id}', isPlaying ? { path: { id: sessionId } } : null, POLL.active);
  const text = isPlaying ? slateReason(trace.data?.breaks ?? [], pictureAt, channel.problems ?? []) : undefined;
  return text === undefined ? null : <Notice tone="warn">{text}.</Notice>;
}
