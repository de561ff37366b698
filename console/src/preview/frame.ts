// SPDX-License-Identifier: Apache-2.0
// The frame of the preview. It has an opaque origin without the console's key and storage, so that neither players nor
// manifests can reach them. It plays the URL that it receives and reports its state.
import { defined } from '../../../src/invariant.ts';
import './frame.css';
import type { ConsoleMessage, FrameMessage, PlayMessage } from './messages.ts';
import type { OpenPlayer, Player, PlayerReports } from './player.ts';

const STATE_INTERVAL_MS = 500;
/** After a seek, how long a player may buffer nothing. */
const HANG_MS = 10_000;

const video = defined(document.querySelector('video'), 'the frame has a video');
let player: Player | undefined;
let played: PlayMessage | undefined;
let hang: ReturnType<typeof setTimeout> | undefined;

/** Any parent may receive it: it contains no secrets. */
const post = (message: FrameMessage): void => parent.postMessage(message, '*');
const reports: PlayerReports = {
  error: (text) => post({ type: 'error', text }),
  event: (text) => post({ type: 'event', text }),
};

/** Players are large: only the selected one is loaded. */
const openers: Readonly<Record<PlayMessage['player'], () => Promise<OpenPlayer>>> = {
  'hls.js': async () => (await import('./openHls.ts')).openHls,
  shaka: async () => (await import('./openShaka.ts')).openShaka,
};

async function play(message: PlayMessage): Promise<void> {
  const { player: name, startAt } = message;
  played = message;
  clearTimeout(hang);
  document.body.classList.toggle('without-timeline', startAt !== undefined);
  player?.stop();
  player = undefined;
  try {
    const open = await openers[name]();
    player = await open(video, message, reports);
    await video.play();
  } catch (error) {
    // A browser that blocks autoplay shows its own play button.
    if ((error as Error).name !== 'NotAllowedError') reports.error((error as Error).message);
  }
}

/** Shaka Player 5.2 sometimes loads nothing after a seek that follows another one within a second, also if it seeks again. */
function reopenIfHanging(startAt: number): void {
  if (played !== undefined && video.seeking && video.buffered.length === 0) void play({ ...played, startAt });
}

function seek(to: number): void {
  // A video that has ended is paused.
  const hasEnded = video.ended;
  video.currentTime = to;
  if (hasEnded) void video.play();
  clearTimeout(hang);
  hang = setTimeout(() => reopenIfHanging(to), HANG_MS);
}

function bufferedAhead(): number {
  const { buffered, currentTime } = video;
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

function postState(): void {
  const at = player?.pictureAt()?.getTime();
  post({
    type: 'state',
    position: video.currentTime,
    isPlaying: player?.playsAdApart() || (!video.paused && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA),
    ...(at === undefined || Number.isNaN(at) ? {} : { pictureAt: at }),
    ...(video.videoHeight > 0 ? { height: video.videoHeight } : {}),
    buffered: bufferedAhead(),
  });
}

addEventListener('message', ({ source, data }: MessageEvent<ConsoleMessage>) => {
  if (source !== parent) return;
  if (data?.type === 'play') void play(data);
  if (data?.type === 'seek') seek(data.to);
});
video.addEventListener('seeked', postState);
setInterval(postState, STATE_INTERVAL_MS);
post({ type: 'ready' });
