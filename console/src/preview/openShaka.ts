// SPDX-License-Identifier: Apache-2.0
import shaka from 'shaka-player';
import type { OpenPlayer } from './player.ts';

/** Seconds between the end of the seek range and that of the playlists; more than any channel has. */
const EDGE_DELAY = 15;
/** Seconds: the window of most channels, which a new one reaches later. */
const MIN_WINDOW = 60;

/**
 * Keeps the seek window at its length. Shaka Player 5.2 shortens that of HLS whenever playlists arrive late, and skips segments in
 * the end (docs/players.md, "Shaka Player and live HLS").
 */
function keepWindow(player: shaka.Player): void {
  const { start, end } = player.seekRange();
  player.configure('manifest.availabilityWindowOverride', Math.max(MIN_WINDOW, end - start + EDGE_DELAY));
}

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
  if (player.isLive() && player.getManifestType() === 'HLS') keepWindow(player);
  return { pictureAt: () => player.getPlayheadTimeAsDate(), stop: () => void player.destroy() };
};
