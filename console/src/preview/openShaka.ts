// SPDX-License-Identifier: Apache-2.0
import shaka from 'shaka-player';
import type { OpenPlayer } from './player.ts';

export const openShaka: OpenPlayer = async (video, url, onError, startAt) => {
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  await player.attach(video);
  player.addEventListener('error', (event) => {
    const { severity, code } = (event as unknown as { detail: shaka.util.Error }).detail;
    if (severity === shaka.util.Error.Severity.CRITICAL) onError(`Shaka Player stopped: error ${code}`);
  });
  await player.load(url, startAt).catch(({ code }: shaka.util.Error) => {
    throw new Error(`Shaka Player could not load the stream: error ${code}`);
  });
  return { pictureAt: () => player.getPlayheadTimeAsDate(), stop: () => void player.destroy() };
};
