import Hls from 'hls.js';
import type { OpenPlayer } from './player.ts';

const RECOVERY_MS = 5000;
const TRY_AGAIN_MS = 3000;

export const openHls: OpenPlayer = async (video, url, onError) => {
  if (!Hls.isSupported()) throw new Error('This browser cannot play through Media Source Extensions.');
  // A preview may be left on for a day: what was shown is not kept.
  const hls = new Hls({ enableWorker: false, backBufferLength: 30 });
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      // hls.js asks no more after one refused connection, as while Midroll is started anew.
      onError(`hls.js gets nothing (${details}), and tries again.`);
      clearTimeout(timer);
      timer = setTimeout(() => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(url)), TRY_AGAIN_MS);
      return;
    }
    // What fails again at once cannot be recovered from.
    if (type === Hls.ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > RECOVERY_MS) {
      recoveredAt = performance.now();
      return hls.recoverMediaError();
    }
    onError(`hls.js gave up: ${details}`);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    pictureAt: () => hls.playingDate,
    stop: () => {
      clearTimeout(timer);
      hls.destroy();
    },
  };
};
