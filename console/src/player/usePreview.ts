// SPDX-License-Identifier: Apache-2.0
// The session and the player of a preview.
import { useCallback, useState } from 'preact/hooks';
import type { OpenedSession } from '../../../src/http/contract/airContract.ts';
import { useInstallation } from '../api/installation.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { parseNameValueLines } from '../components/forms/nameValueLines.ts';
import type { FrameMessage, PlaybackState, PlayerName } from '../preview/messages.ts';
import { openSession } from './openSession.ts';
import type { ChannelKeys, Format } from './playbackUrls.ts';

/** `at`: milliseconds. */
type PlayerEvent = { readonly at: number; readonly text: string };

export type PreviewSession = ReturnType<typeof usePreview>;

/** The newest ones are sufficient to see what a player does. */
const MOST_EVENTS = 100;

/** @param target further parameters of the URL: the content and the start of VoD */
export function usePreview(
  channel: ChannelKeys,
  insertion: OpenedSession['insertion'],
  target: Readonly<Record<string, string>> = {},
) {
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
  /** What the player does with breaks, newest first. */
  const [events, setEvents] = useState<readonly PlayerEvent[]>([]);
  const clear = () => {
    setEvents([]);
    setPlayback(undefined);
    setFailure(undefined);
  };
  const start = useAction(async (next: Format) => {
    clear();
    const query = { ...parseNameValueLines(parameters), ...target, insertion };
    setOpened(await openSession(liveUrl, next, channel, query));
  });
  const handleMessage = useCallback((message: FrameMessage) => {
    if (message.type === 'error') return setFailure(message.text);
    if (message.type === 'event') {
      const { text } = message;
      return setEvents((known) => [{ at: serverNow(), text }, ...known].slice(0, MOST_EVENTS));
    }
    setPlayback(message.type === 'ready' ? undefined : message);
    if (message.type === 'ready' || message.isPlaying) setFailure(undefined);
  }, []);
  return {
    insertion,
    events,
    format,
    player,
    parameters,
    opened,
    playback,
    failure,
    start,
    setPlayer(name: PlayerName) {
      setPlayer(name);
      clear();
    },
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
