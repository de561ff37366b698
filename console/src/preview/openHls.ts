// SPDX-License-Identifier: Apache-2.0
import Hls, { type AssetListJSON, type InterstitialEvent } from 'hls.js';
import { plural } from '../format/numbers.ts';
import { formatDuration } from '../format/time.ts';
import type { OpenPlayer, PlayerReports } from './player.ts';

/** A media error sooner than this after a recovery is final. */
const MIN_RECOVERY_INTERVAL_MS = 5000;
const RETRY_DELAY_MS = 3000;
/** Seconds; a preview may stay open for a day. */
const BACK_BUFFER = 30;

/** Of an asset list, with the signal by which its ads differ from slate and bumpers. */
type ListedClip = AssetListJSON['ASSETS'][number] & { readonly 'X-AD-CREATIVE-SIGNALING'?: object };
const isAd = (clip: ListedClip): boolean => 'X-AD-CREATIVE-SIGNALING' in clip;

/** `Ad 1 of 2`: what of a list plays. */
function nameOf({ assetListResponse }: InterstitialEvent, index: number): string {
  const clips: readonly ListedClip[] = assetListResponse?.ASSETS ?? [];
  const clip = clips[index];
  if (clip === undefined || !isAd(clip)) return 'Slate or bumper';
  return `Ad ${clips.slice(0, index + 1).filter(isAd).length} of ${clips.filter(isAd).length}`;
}

function reportBreaks(hls: Hls, { event: report }: PlayerReports): void {
  hls.on(Hls.Events.ASSET_LIST_LOADED, (_, { assetListResponse: { ASSETS: clips } }) => {
    const seconds = clips.reduce((sum, { DURATION }) => sum + Number(DURATION), 0);
    report(`Ad list loaded: ${plural(clips.filter(isAd).length, 'ad')}, ${formatDuration(seconds)} in all`);
  });
  hls.on(Hls.Events.INTERSTITIAL_STARTED, () => report('Break started'));
  hls.on(Hls.Events.INTERSTITIAL_ASSET_STARTED, (_, { event, assetListIndex }) =>
    report(`${nameOf(event, assetListIndex)} started`),
  );
  hls.on(Hls.Events.INTERSTITIAL_ASSET_ENDED, (_, { event, assetListIndex }) =>
    report(`${nameOf(event, assetListIndex)} ended`),
  );
  hls.on(Hls.Events.INTERSTITIAL_ASSET_ERROR, (_, { event, assetListIndex, details }) =>
    report(`${event ? nameOf(event, assetListIndex) : 'An ad'} failed: ${details}`),
  );
  hls.on(Hls.Events.INTERSTITIAL_ENDED, () => report('Break ended'));
  hls.on(Hls.Events.ERROR, (_, { details }) => {
    if (details.startsWith('assetList')) report(`The ad list could not be used: ${details}`);
  });
}

/** `playingDate` stands still from when the first ad of a break is buffered until the break has ended. */
function dateOf({ interstitialsManager: breaks, latestLevelDetails, playingDate }: Hls): Date | null {
  const isGuided = breaks?.playingItem != null;
  const position = breaks?.primary.currentTime ?? 0;
  const segment = latestLevelDetails?.fragments.findLast(({ start }) => start <= position);
  if (!isGuided || segment?.programDateTime == null) return playingDate;
  return new Date(segment.programDateTime + (position - segment.start) * 1000);
}

export const openHls: OpenPlayer = async (video, { url, startAt }, reports) => {
  if (!Hls.isSupported()) throw new Error('This browser does not support Media Source Extensions.');
  const start = startAt === undefined ? {} : { startPosition: startAt };
  const hls = new Hls({ enableWorker: false, backBufferLength: BACK_BUFFER, ...start });
  let recoveredAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  hls.on(Hls.Events.ERROR, (_, { fatal, type, details }) => {
    if (!fatal) return;
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      // hls.js does not retry a refused connection, such as during a restart of Midroll.
      reports.error(`hls.js network error: ${details}. Retrying.`);
      clearTimeout(timer);
      timer = setTimeout(() => (hls.levels.length > 0 ? hls.startLoad() : hls.loadSource(url)), RETRY_DELAY_MS);
      return;
    }
    if (type === Hls.ErrorTypes.MEDIA_ERROR && performance.now() - recoveredAt > MIN_RECOVERY_INTERVAL_MS) {
      recoveredAt = performance.now();
      return hls.recoverMediaError();
    }
    reports.error(`hls.js stopped: ${details}`);
  });
  reportBreaks(hls, reports);
  hls.loadSource(url);
  hls.attachMedia(video);
  return {
    pictureAt: () => dateOf(hls),
    playsAdApart: () => false,
    stop: () => {
      clearTimeout(timer);
      hls.destroy();
    },
  };
};
