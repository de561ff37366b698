// SPDX-License-Identifier: Apache-2.0
// The session and the player of a preview.
import { useCallback, useState } from 'preact/hooks';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { useInstallation } from '../api/installation.ts';
import { type Action, useAction } from '../api/useAction.ts';
import { parseNameValueLines } from '../components/forms/nameValueLines.ts';
import type { FrameMessage, PlaybackState, PlayerName } from '../preview/messages.ts';
import { openSession } from './openSession.ts';
import type { ChannelKeys, Format } from './playbackUrls.ts';

export type PreviewSession = {
  readonly format: Format;
  readonly player: PlayerName;
  /** For the ad server, one `name: value` per line. */
  readonly parameters: string;
  /** undefined before the preview is started */
  readonly opened: OpenedSession | undefined;
  readonly playback: PlaybackState | undefined;
  /** The last error of the player, until it plays again. */
  readonly failure: string | undefined;
  readonly start: Action<[Format]>;
  stop(): void;
  changeFormat(format: Format): void;
  setPlayer(player: PlayerName): void;
  setParameters(parameters: string): void;
  handleMessage(message: FrameMessage): void;
};

/** @param target further parameters of the URL: the content and the start of VoD */
export function usePreview(channel: ChannelKeys, target: Readonly<Record<string, string>> = {}): PreviewSession {
  const { liveUrl } = useInstallation();
  const [format, setFormat] = useState<Format>('hls');
  const [player, setPlayer] = useState<PlayerName>('hls.js');
  const [parameters, setParameters] = useState('');
  const [opened, setOpened] = useState<OpenedSession>();
  const [playback, setPlayback] = useState<PlaybackState>();
  const [failure, setFailure] = useState<string>();
  const clear = () => {
    setPlayback(undefined);
    setFailure(undefined);
  };
  const start = useAction(async (next: Format) => {
    clear();
    setOpened(await openSession(liveUrl, next, channel, { ...parseNameValueLines(parameters), ...target }));
  });
  const handleMessage = useCallback((message: FrameMessage) => {
    if (message.type === 'error') return setFailure(message.text);
    setPlayback(message.type === 'ready' ? undefined : message);
    if (message.type === 'ready' || message.isPlaying) setFailure(undefined);
  }, []);
  return {
    format,
    player,
    parameters,
    opened,
    playback,
    failure,
    start,
    setPlayer,
    setParameters,
    handleMessage,
    stop() {
      setOpened(undefined);
      clear();
    },
    changeFormat(next) {
      setFormat(next);
      // hls.js plays no DASH.
      if (next === 'dash') setPlayer('shaka');
      if (opened !== undefined) void start.run(next);
    },
  };
}
