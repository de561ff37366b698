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
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { insertionNames } from '../channels/insertionNames.ts';
import { Toggle } from '../components/forms/Toggle.tsx';
import { formatTimeOfDay } from '../format/time.ts';

export type PreviewCardProps = {
  readonly preview: PreviewSession;
  /** Of the preview in which Midroll stitches ads: whether one in which the player inserts them is next to it. */
  readonly comparison?: undefined | { readonly isOn: boolean; set(isOn: boolean): void };
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
export function PreviewCard({ preview, comparison, startAt, seek, children }: PreviewCardProps) {
  const { format, player, opened, start } = preview;
  const isGuided = preview.insertion === 'guided';
  return (
    <section class="card preview" aria-label={isGuided ? 'Guided preview' : 'Preview'}>
      {isGuided || comparison?.isOn ? <h2>{insertionNames[preview.insertion]}</h2> : null}
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
            isGuided={opened.insertion === 'guided'}
            player={player}
            startAt={startAt}
            seek={seek}
            onMessage={preview.handleMessage}
          />
        )}
      </div>
      <ErrorNotice error={start.error} />
      {opened === undefined ? null : children}
      {isGuided && opened !== undefined ? <BreakEvents preview={preview} opened={opened} /> : null}
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
      {comparison === undefined ? null : (
        <Toggle label="Compare with guided" isOn={comparison.isOn} onChange={comparison.set} />
      )}
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

type BreakEventsProps = { readonly preview: PreviewSession; readonly opened: OpenedSession };

/** What a guided player reports of its breaks. */
const BreakEvents = ({ preview: { events }, opened }: BreakEventsProps) =>
  opened.insertion === 'stitched' ? (
    <Notice tone="info">The ad server names the breaks of this channel (VMAP), so its ads are always stitched.</Notice>
  ) : (
    <>
      <h3>Player events</h3>
      {events.length === 0 ? <p class="small muted">None yet. The player reports what it does in each break.</p> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by the keyboard */}
      <div class="player-events small" role="log" aria-label="Player events" tabIndex={0}>
        <ol>
          {events.map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <time dateTime={new Date(at).toISOString()}>{formatTimeOfDay(at)}</time> {text}
            </li>
          ))}
        </ol>
      </div>
    </>
  );

type PreviewFrameProps = Pick<PreviewCardProps, 'startAt' | 'seek'> & {
  readonly url: string;
  readonly player: PlayerName;
  readonly isGuided: boolean;
  onMessage(message: FrameMessage): void;
};

/** Plays a URL in a sandboxed frame without access to the console. */
function PreviewFrame({ url, player, isGuided, startAt, seek, onMessage }: PreviewFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<FrameMessage>) => {
      const inner = frame.current?.contentWindow;
      if (!inner || source !== inner) return;
      // The frame has an opaque origin, which only `*` matches.
      const start = startAt === undefined ? {} : { startAt };
      if (data.type === 'ready')
        inner.postMessage({ type: 'play', url, player, isGuided, ...start } satisfies PlayMessage, '*');
      onMessage(data);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [url, player, isGuided, startAt, onMessage]);
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
