// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { Button } from '../components/buttons/Button.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import type { FrameMessage, PlaybackState, PlayerName, PlayMessage, SeekMessage } from '../preview/messages.ts';
import type { Format } from './playbackUrls.ts';
import type { PreviewSession } from './usePreview.ts';
import './player.css';
import { useEffect, useRef } from 'preact/hooks';
import { serverNow } from '../api/serverClock.ts';

type PreviewCardProps = {
  readonly preview: PreviewSession;
  /** Only for VoD: seconds of the stream. */
  readonly startAt?: number | undefined;
  /** Each new value seeks. */
  readonly seek?: SeekMessage | undefined;
  /** The state of the preview, below the picture. */
  readonly children: ComponentChildren;
};

/** hls.js plays no DASH. */
const players: Readonly<Record<Format, Partial<Record<PlayerName, string>>>> = {
  hls: { 'hls.js': 'hls.js', shaka: 'Shaka' },
  dash: { shaka: 'Shaka' },
};
export const formats: Readonly<Record<Format, string>> = { hls: 'HLS', dash: 'DASH' };

/** The picture of a preview and its controls. */
export function PreviewCard({ preview, startAt, seek, children }: PreviewCardProps) {
  const { format, player, opened, start } = preview;
  return (
    <section class="card preview" aria-label="Preview">
      <div class="screen">
        {opened === undefined ? (
          <div class="overlay">
            <Button kind="primary" icon="play" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Start preview
            </Button>
            Previews are not counted or tracked.
          </div>
        ) : (
          <PreviewFrame
            key={`${opened.mediaURL} ${player}`}
            url={opened.mediaURL}
            player={player}
            startAt={startAt}
            seek={seek}
            onMessage={preview.handleMessage}
          />
        )}
      </div>
      <ErrorNotice error={start.error} />
      {opened === undefined ? null : children}
      <div class="controls row">
        <SegmentedControl
          label="Format"
          value={format}
          isDisabled={start.isBusy}
          options={formats}
          onChange={preview.changeFormat}
        />
        <SegmentedControl label="Player" value={player} options={players[format]} onChange={preview.setPlayer} />
        {opened === undefined ? null : (
          <>
            <Button icon="refresh" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Restart
            </Button>
            <Button icon="stop" onClick={preview.stop}>
              Stop
            </Button>
            <Link href={`/sessions/${opened.sessionId}`}>View session</Link>
          </>
        )}
      </div>
      <details>
        <summary>Ad parameters</summary>
        <TextField
          label="Parameters"
          rows={3}
          value={preview.parameters}
          onInput={preview.setParameters}
          placeholder={'viewer: test\nconsent: yes'}
          hint='One "name: value" per line. The ad server URL refers to them as [PLAYER.name]. Restart to apply.'
        />
      </details>
    </section>
  );
}

type PreviewFrameProps = Pick<PreviewCardProps, 'startAt' | 'seek'> & {
  readonly url: string;
  readonly player: PlayerName;
  onMessage(message: FrameMessage): void;
};

/** Plays a URL in a sandboxed frame without access to the console. */
function PreviewFrame({ url, player, startAt, seek, onMessage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameMessage>) => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner) return;
      // The frame has an opaque origin, which only `*` matches.
      const start = startAt === undefined ? {} : { startAt };
      if (data.type === 'ready') inner.postMessage({ type: 'play', url, player, ...start } satisfies PlayMessage, '*');
      onMessage(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [url, player, startAt, onMessage]);
  useEffect(() => {
    if (seek !== undefined) frame.current?.contentWindow?.postMessage(seek, '*');
  }, [seek]);
  return (
    <iframe
      ref={frame}
      src="preview.html"
      title="Channel preview"
      sandbox="allow-scripts"
      allow="autoplay; fullscreen"
    />
  );
}

type PreviewStatusProps = {
  readonly playback: PlaybackState | undefined;
  readonly failure: string | undefined;
  /** The position of the picture on the channel's clock; undefined for VoD. */
  readonly latencyFrom?: number | undefined;
};

/** The state of the preview in one line. */
export function PreviewStatus({ playback, failure, latencyFrom }: PreviewStatusProps) {
  if (failure !== undefined) return <Notice tone="bad">{failure}</Notice>;
  if (playback === undefined) return <p class="status small muted">Loading player…</p>;
  const { isPlaying, height, buffered } = playback;
  const latency = latencyFrom === undefined ? undefined : (serverNow() - latencyFrom) / 1000;
  const facts = [
    isPlaying ? 'Playing' : 'Paused or buffering',
    ...(latency === undefined ? [] : [`${latency.toFixed(1)} s behind live`]),
    ...(height === undefined ? [] : [`${height}p`]),
    `${buffered.toFixed(1)} s buffered`,
  ];
  return (
    <p class="status small muted" data-playing={isPlaying}>
      {facts.join(', ')}
    </p>
  );
}
