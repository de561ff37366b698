// SPDX-License-Identifier: Apache-2.0
import { useCallback, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ChannelResponse } from '../../../src/http/channelContract.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { type Format, findSessionId } from '../logic/channels/playbackUrls.ts';
import { parseNameValueLines } from '../logic/forms/nameValueLines.ts';
import type { FrameMessage, PlaybackState, PlayerName } from '../preview/messages.ts';
import { openSession } from './openSession.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import { PreviewStatus } from './PreviewStatus.tsx';

type PreviewProps = { readonly channel: ChannelResponse; onPicture(at: number | undefined): void };
const players: readonly (readonly [PlayerName, string])[] = [
  ['hls.js', 'hls.js'],
  ['shaka', 'Shaka'],
];
const formats: readonly (readonly [Format, string])[] = [
  ['hls', 'HLS'],
  ['dash', 'DASH'],
];

/** Plays the channel as a viewer: with its own session, and with parameters for the ad server. */
export function Preview({ channel, onPicture }: PreviewProps) {
  const { liveUrl } = useInstallation();
  const [format, setFormat] = useState<Format>('hls');
  const [player, setPlayer] = useState<PlayerName>('hls.js');
  const [parameters, setParameters] = useState('');
  const [mediaUrl, setMediaUrl] = useState<string>();
  const [playback, setPlayback] = useState<PlaybackState>();
  /** The last error of the player, until it plays again. */
  const [failure, setFailure] = useState<string>();
  const start = useAction(async (next: Format) => {
    setPlayback(undefined);
    setFailure(undefined);
    setMediaUrl(await openSession(liveUrl, next, channel, parseNameValueLines(parameters) ?? {}));
  });
  const stop = () => {
    setMediaUrl(undefined);
    setPlayback(undefined);
    setFailure(undefined);
    onPicture(undefined);
  };
  const handleMessage = useCallback(
    (message: FrameMessage) => {
      if (message.type === 'error') return setFailure(message.text);
      if (message.type === 'ready') {
        setPlayback(undefined);
        return setFailure(undefined);
      }
      setPlayback(message);
      onPicture(message.pictureAt);
      if (message.isPlaying) setFailure(undefined);
    },
    [onPicture],
  );
  const changeFormat = (next: Format) => {
    setFormat(next);
    // hls.js plays no DASH.
    if (next === 'dash') setPlayer('shaka');
    if (mediaUrl !== undefined) void start.run(next);
  };
  const sessionId = mediaUrl === undefined ? undefined : findSessionId(mediaUrl);
  return (
    <section class="card preview" aria-label="Preview">
      <div class="screen">
        {mediaUrl === undefined ? (
          <div class="overlay">
            <Button kind="primary" icon="play" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Start preview
            </Button>
            Previews count as impressions.
          </div>
        ) : (
          <PreviewFrame key={`${mediaUrl} ${player}`} url={mediaUrl} player={player} onMessage={handleMessage} />
        )}
      </div>
      <ErrorNotice error={start.error} />
      {mediaUrl === undefined ? null : <PreviewStatus playback={playback} failure={failure} />}
      <div class="controls">
        <SegmentedControl
          label="Format"
          value={format}
          isDisabled={start.isBusy}
          options={formats}
          onChange={changeFormat}
        />
        <SegmentedControl
          label="Player"
          value={player}
          options={format === 'dash' ? players.slice(1) : players}
          onChange={(next: PlayerName) => setPlayer(next)}
        />
        {mediaUrl === undefined ? null : (
          <>
            <Button icon="refresh" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Restart
            </Button>
            <Button icon="stop" onClick={stop}>
              Stop
            </Button>
            {sessionId ? <Link href={`/sessions/${sessionId}`}>View session</Link> : null}
          </>
        )}
      </div>
      <details>
        <summary>Ad parameters</summary>
        <TextField
          label="Parameters"
          rows={3}
          value={parameters}
          onInput={setParameters}
          placeholder={'viewer: test\nconsent: yes'}
          hint='One "name: value" per line. The ad server URL refers to them as [PLAYER.name]. Restart to apply.'
        />
      </details>
    </section>
  );
}
