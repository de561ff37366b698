// The frame that a preview plays in. It has an origin of its own, without the console's key and storage: players and
// what manifests name stay outside. It plays what it is told, and tells how that goes.
import './frame.css';
import type { FrameMessage, PlayMessage } from './messages.ts';
import type { OpenPlayer, Player } from './player.ts';

const video = document.querySelector('video')!;
let player: Player | undefined;

/** To whoever shows this frame; there is nothing secret in it. */
const tell = (message: FrameMessage): void => parent.postMessage(message, '*');
const tellError = (text: string): void => tell({ type: 'error', text });

/** Players are large: only the one that is wanted is loaded. */
const openers: Readonly<Record<PlayMessage['player'], () => Promise<OpenPlayer>>> = {
  'hls.js': async () => (await import('./openHls.ts')).openHls,
  shaka: async () => (await import('./openShaka.ts')).openShaka,
};

async function play({ url, player: name }: PlayMessage): Promise<void> {
  player?.stop();
  player = undefined;
  try {
    const open = await openers[name]();
    player = await open(video, url, tellError);
    await video.play();
  } catch (error) {
    // A browser that lets nothing play by itself shows its own button.
    if ((error as Error).name !== 'NotAllowedError') tellError((error as Error).message);
  }
}

function bufferedAhead(): number {
  const { buffered, currentTime } = video;
  return buffered.length === 0 ? 0 : Math.max(0, buffered.end(buffered.length - 1) - currentTime);
}

function tellState(): void {
  const at = player?.pictureAt()?.getTime();
  tell({
    type: 'state',
    isPlaying: !video.paused && video.readyState >= 3,
    ...(at === undefined || Number.isNaN(at) ? {} : { pictureAt: at }),
    ...(video.videoHeight > 0 ? { height: video.videoHeight } : {}),
    buffered: bufferedAhead(),
  });
}

addEventListener('message', ({ source, data }: MessageEvent<PlayMessage>) => {
  if (source !== parent || data?.type !== 'play') return;
  void play(data);
});
setInterval(tellState, 500);
tell({ type: 'ready' });
