// SPDX-License-Identifier: Apache-2.0
// The session and the player of a preview.
import { useCallback, useState } from 'preact/hooks';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { useInstallation } from '../api/installation.ts';
import { useAction } from '../api/useAction.ts';
import { parseNameValueLines } from '../components/forms/nameValueLines.ts';
import type { FrameMessage, PlaybackState, PlayerName } from '../preview/messages.ts';
import { openSession } from './openSession.ts';
import type { ChannelKeys, Format } from './playbackUrls.ts';

export type PreviewSession = ReturnType<typeof usePreview>;

/** @param target further parameters of the URL: the content and the start of VoD */
export function usePreview(channel: ChannelKeys, target: Readonly<Record<string, string>> = {}) {
  const { liveUrl } = useInstallation();
  const [format, setFormat] = useState<Format>('hls');
  const [player, setPlayer] = useState<PlayerName>('hls.js');
  /** For the ad server, one `name: value` per line. */
  const [parameters, setParameters] = useState('');
  /** undefined before the preview is started */
  const [opened, setOpened] = useState<OpenedSession>();
  const [playback, setPlayback] = useState<PlaybackState>();
  /** The last error of the player, until it plays again. */
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
    setPlayer: (name: PlayerName) => setPlayer(name),
    setParameters,
    handleMessage,
    stop() {
      setOpened(undefined);
      clear();
    },
    changeFormat(next: Format) {
      setFormat(next);
      // hls.js plays no DASH.
      if (next === 'dash') setPlayer('shaka');
      if (opened !== undefined) void start.run(next);
    },
  };
}
