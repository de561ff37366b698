import Hls from 'hls.js';
import type { OpenPlayer } from './player.ts';

const RECOVERY_MS = 5000;

export const openHls: OpenPlayer = async (video, url, onError) => {
  if (!Hls.isSupported()) throw new Error('This browser cannot play through Media Source Extensions.');
  // A preview may be left on for a day: what was shown is not kept.
  const hls = new Hls({ enableWorker: false, backBufferLength: 30 });
  let recoveredAt = Number.NEGATIVE_INFINITY;
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    // What fails again at once cannot be recovered from.
    if (type === Hls.ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > RECOVERY_MS) {
      recoveredAt = performance.now();
      return hls.recoverMediaError();
    }
    onError(`hls.js gave up: ${details}`);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return { pictureAt: () => hls.playingDate, stop: () => hls.destroy() };
};
