// SPDX-License-Identifier: Apache-2.0
import shaka from 'shaka-player';
import { defined } from '../../../src/invariant.ts';
import type { OpenPlayer, PlayerReports } from './player.ts';

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

type AdEvent = { readonly ad?: shaka.extern.IAd; readonly originalEvent?: Partial<shaka.util.Error> };

/** Has Shaka Player insert the ads. */
function insertAds(player: shaka.Player, video: HTMLVideoElement, { event: report }: PlayerReports) {
  // Shaka Player 5.2 plays ads in a video with controls, too, but only those of the first break.
  video.controls = false;
  // It starts ads in callbacks of video frames, which a frame out of sight does not get; without them, it uses a timer.
  Reflect.deleteProperty(HTMLVideoElement.prototype, 'requestVideoFrameCallback');
  const ads = defined(player.getAdManager(), 'Shaka Player is built with its ad manager');
  // It empties the container when it stops.
  const container = document.createElement('div');
  container.className = 'ads';
  video.after(container);
  ads.setContainers(container, container);
  const { Utils } = shaka.ads;
  let current: shaka.extern.IAd | undefined;
  /** Where the break starts on the channel's clock, and the seconds of its ads that have ended. */
  let [startsAt, played] = [Number.NaN, 0];
  const nameOf = () =>
    current === undefined ? 'An ad' : `Clip ${current.getPositionInSequence()} of ${current.getSequenceLength()}`;
  const on = (type: string, act: (event: AdEvent) => void) =>
    ads.addEventListener(type, (event) => act(event as unknown as AdEvent));
  on(Utils.AD_BREAK_STARTED, () => {
    [startsAt, played] = [player.getPlayheadTimeAsDate()?.getTime() ?? Number.NaN, 0];
    report('Break started');
  });
  on(Utils.AD_STARTED, ({ ad }) => {
    current = ad;
    report(`${nameOf()} started`);
  });
  on(Utils.AD_ERROR, ({ originalEvent }) => report(`${nameOf()} failed: error ${originalEvent?.code}`));
  on(Utils.AD_STOPPED, () => {
    report(`${nameOf()} ended`);
    played += current?.getDuration() ?? 0;
    current = undefined;
  });
  on(Utils.AD_BREAK_ENDED, () => report('Break ended'));
  return {
    playsAd: () => current?.isPaused() === false,
    adAt: () => current && new Date(startsAt + (played + current.getDuration() - current.getRemainingTime()) * 1000),
  };
}

export const openShaka: OpenPlayer = async (video, { url, startAt, isGuided }, reports) => {
  shaka.polyfill.installAll();
  const player = new shaka.Player();
  await player.attach(video);
  video.controls = true;
  const guided = isGuided ? insertAds(player, video, reports) : undefined;
  player.addEventListener('error', (event) => {
    const { severity, code } = (event as unknown as { detail: shaka.util.Error }).detail;
    if (severity === shaka.util.Error.Severity.CRITICAL) reports.error(`Shaka Player stopped: error ${code}`);
  });
  await player.load(url, startAt).catch(({ code }: shaka.util.Error) => {
    throw new Error(`Shaka Player could not load the stream: error ${code}`);
  });
  if (player.isLive() && player.getManifestType() === 'HLS') keepWindow(player);
  return {
    pictureAt: () => guided?.adAt() ?? player.getPlayheadTimeAsDate(),
    playsAdApart: () => guided?.playsAd() ?? false,
    stop: () => void player.destroy(),
  };
};
