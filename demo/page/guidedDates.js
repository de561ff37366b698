// SPDX-License-Identifier: Apache-2.0
// The position of players that insert the ads themselves, on the clock of the channel.
/* global shaka */

/** hls.js: `playingDate` stands still from when the first ad of a break is buffered until the break has ended. */
export function hlsDate({ interstitialsManager, latestLevelDetails, playingDate }) {
  if (!interstitialsManager?.playingItem) return playingDate;
  const at = interstitialsManager.primary.currentTime;
  const segment = latestLevelDetails?.fragments.findLast(({ start }) => start <= at);
  return segment?.programDateTime ? new Date(segment.programDateTime + (at - segment.start) * 1000) : playingDate;
}

/** Has Shaka Player insert the ads. @returns a function that returns the date of the ad on screen, if there is one */
export function insertAds(player, video) {
  // Shaka Player 5.2 plays ads in a video with controls, too, but only those of the first break.
  video.controls = false;
  // It empties the container when it stops.
  const container = Object.assign(document.createElement('div'), { className: 'ads' });
  video.after(container);
  const ads = player.getAdManager();
  ads.setContainers(container, container);
  let [startsAt, played, current] = [NaN, 0, undefined];
  const { AD_BREAK_STARTED, AD_STARTED, AD_STOPPED } = shaka.ads.Utils;
  ads.addEventListener(AD_BREAK_STARTED, () => {
    [startsAt, played] = [player.getPlayheadTimeAsDate()?.getTime(), 0];
  });
  ads.addEventListener(AD_STARTED, ({ ad }) => {
    current = ad;
  });
  ads.addEventListener(AD_STOPPED, () => {
    played += current?.getDuration() ?? 0;
    current = undefined;
  });
  return () => current && new Date(startsAt + (played + current.getDuration() - current.getRemainingTime()) * 1000);
}
