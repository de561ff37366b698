import Hls from 'hls.js';
import type { OpenPlayer } from './player.ts';

export const openHls: OpenPlayer = async (video, url, onError) => {
  if (!Hls.isSupported()) throw new Error('This browser cannot play through Media Source Extensions.');
  const hls = new Hls({ enableWorker: false });
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.MEDIA_ERROR) return hls.recoverMediaError();
    onError(`hls.js gave up: ${details}`);
  });
  hls.loadSource(url);
  hls.attachMedia(video);
  return { pictureAt: () => hls.playingDate, stop: () => hls.destroy() };
};
