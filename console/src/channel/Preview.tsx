import { useCallback, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ChannelAnswer } from '../../../src/http/contract.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { sessionOf } from '../logic/addressesOf.ts';
import { readPairs } from '../logic/pairs.ts';
import { Button } from '../parts/Button.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';
import { Segments } from '../parts/Segments.tsx';
import { TextField } from '../parts/TextField.tsx';
import type { FrameMessage, PlayerName } from '../preview/messages.ts';
import { openSession } from './openSession.ts';
import { PreviewFrame } from './PreviewFrame.tsx';
import { PreviewState } from './PreviewState.tsx';

type PreviewProps = { readonly channel: ChannelAnswer; onPicture(at: number | undefined): void };
type Format = 'hls' | 'dash';
const players: readonly (readonly [PlayerName, string])[] = [
  ['hls.js', 'hls.js'],
  ['shaka', 'shaka'],
];

/** The channel as a viewer has it: a session of its own, with the ad variables that are asked for. */
export function Preview({ channel, onPicture }: PreviewProps) {
  const { liveUrl } = useInstallation();
  const [format, setFormat] = useState<Format>('hls');
  const [player, setPlayer] = useState<PlayerName>('hls.js');
  const [parameters, setParameters] = useState('');
  const [mediaUrl, setMediaUrl] = useState<string>();
  const [said, setSaid] = useState<FrameMessage>();
  /** What the player gave up over: said until it plays again. */
  const [failure, setFailure] = useState<string>();
  const start = useAction(async (next: Format) => {
    setSaid(undefined);
    setFailure(undefined);
    setMediaUrl(await openSession(liveUrl, next, channel, readPairs(parameters) ?? {}));
  });
  const stop = () => {
    setMediaUrl(undefined);
    setSaid(undefined);
    setFailure(undefined);
    onPicture(undefined);
  };
  const hear = useCallback(
    (message: FrameMessage) => {
      if (message.type === 'error') return setFailure(message.text);
      setSaid(message);
      if (message.type === 'ready') return setFailure(undefined);
      onPicture(message.pictureAt);
      if (message.isPlaying) setFailure(undefined);
    },
    [onPicture],
  );
  const change = (next: Format) => {
    setFormat(next);
    // hls.js plays no DASH.
    if (next === 'dash') setPlayer('shaka');
    if (mediaUrl !== undefined) void start.run(next);
  };
  const sessionId = mediaUrl === undefined ? undefined : sessionOf(mediaUrl);
  return (
    <section class="card preview" aria-label="Preview">
      <div class="screen">
        {mediaUrl === undefined ? (
          <div class="curtain">
            <Button kind="primary" icon="play" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              Watch the channel
            </Button>
            A preview is a viewer like any other: your ad server is asked, and counts.
          </div>
        ) : (
          <PreviewFrame key={`${mediaUrl} ${player}`} url={mediaUrl} player={player} onMessage={hear} />
        )}
      </div>
      <ErrorNotice error={start.error} />
      {mediaUrl === undefined ? null : <PreviewState said={said} failure={failure} />}
      <div class="controls">
        <Segments
          label="Format"
          value={format}
          isDisabled={start.isBusy}
          options={[
            ['hls', 'HLS'],
            ['dash', 'DASH'],
          ]}
          onChange={change}
        />
        <Segments
          label="Player"
          value={player}
          options={format === 'dash' ? players.slice(1) : players}
          onChange={(next: PlayerName) => setPlayer(next)}
        />
        {mediaUrl === undefined ? null : (
          <>
            <Button icon="refresh" isBusy={start.isBusy} onClick={() => void start.run(format)}>
              New session
            </Button>
            <Button icon="stop" onClick={stop}>
              Stop
            </Button>
            {sessionId ? <Link href={`/sessions/${sessionId}`}>Why these ads?</Link> : null}
          </>
        )}
      </div>
      <details>
        <summary>Variables for the ad server</summary>
        <TextField
          label="One a line: name: value"
          rows={3}
          value={parameters}
          onInput={setParameters}
          placeholder={'viewer: test\nconsent: yes'}
          hint="An ad source asks for them as [PLAYER.name]. They are set when a session is opened."
        />
      </details>
    </section>
  );
}
