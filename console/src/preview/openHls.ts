// SPDX-License-Identifier: Apache-2.0
import Hls from 'hls.js';
import type { OpenPlayer } from './player.ts';

/** A media error sooner than this after a recovery is final. */
const MIN_RECOVERY_INTERVAL_MS = 5000;
const RETRY_DELAY_MS = 3000;
/** Seconds; a preview may stay open for a day. */
const BACK_BUFFER = 30;

export const openHls: OpenPlayer = async (video, url, onError, startAt) => {
  if (!Hls.isSupported()) throw new Error('This browser does not support Media Source Extensions.');
  const start = startAt === undefined ? {} : { startPosition: startAt };
  const hls = new Hls({ enableWorker: false, backBufferLength: BACK_BUFFER, ...start });
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      // hls.js does not retry a refused connection, such as during a restart of Midroll.
      onError(`hls.js network error: ${details}. Retrying.`);
      clearTimeout(timer);
      timer = setTimeout(() => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(url)), RETRY_DELAY_MS);
      return;
    }
    if (type === Hls.ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > MIN_RECOVERY_INTERVAL_MS) {
      recoveredAt = performance.now();
      return hls.recoverMediaError();
    }
    onError(`hls.js stopped: ${details}`);
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
