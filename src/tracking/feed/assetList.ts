// SPDX-License-Identifier: Apache-2.0
// The asset list of a break: what a guided player plays in it (draft-pantos-hls-rfc8216bis Appendix D.2), with the signal of each ad
// (SVTA 2053-1, version 2). URLs that Midroll requests itself are left out, so that nothing is counted twice.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type { StitchedAd } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Flicks, flicksToMicros, millis } from '../../time/units.ts';
import type { VastOffset } from '../../vast/response.ts';
import { adEvents, type FeedContext } from './feedEvents.ts';

/** A clip of a pod, in playing order; `ad` is its record if it is not slate or a bumper. */
export type ListedClip = { readonly url: string; readonly duration: Flicks; readonly ad?: StitchedAd | undefined };

const IDENTIFIER_SCHEME = 'urn:midroll:ad:2026';

const seconds = (length: Flicks): number => flicksToMicros(length) / 1e6;

const offsetIn = (offset: VastOffset, duration: Flicks): number =>
  offset.kind === 'time' ? offset.at / FLICKS_PER_SECOND : (seconds(duration) * offset.percent) / 100;

/** Seconds after which an ad can be skipped, as its VAST has it. */
function skipOffsetOf({ ad, duration }: ListedClip): number | undefined {
  const offset = ad && shownCreative(ad.vast)?.linear?.skipOffset;
  return offset && offsetIn(offset, duration);
}

/** Events that an application reports, not the player that inserts the ad. */
const notTracked = new Set(['error', 'clickThrough', 'customClick', 'viewable', 'notViewable', 'viewUndetermined']);

/** The URLs that the player requests at each event of an ad. `offset`: seconds after its start. */
export function playerEvents(ad: StitchedAd, tracking: FeedContext['tracking']) {
  const zero = millis(Date.parse(ad.startsAt));
  return adEvents(ad, shownCreative(ad.vast)?.linear, { zero, tracking }).flatMap((event) =>
    event.beaconUrls.length === 0 || notTracked.has(event.eventType)
      ? []
      : [{ type: event.eventType, offset: event.startTimeInSeconds, urls: event.beaconUrls }],
  );
}

function slotOf(clip: ListedClip, ad: StitchedAd, start: number, tracking: FeedContext['tracking']) {
  const clickThrough = shownCreative(ad.vast)?.linear?.clickThrough?.url;
  const skipOffset = skipOffsetOf(clip);
  return {
    type: 'linear',
    start,
    duration: seconds(clip.duration),
    identifiers: [
      { scheme: IDENTIFIER_SCHEME, value: ad.adId },
      ...(shownCreative(ad.vast)?.universalAdIds ?? []).map(({ registry = '', value }) => ({
        scheme: registry,
        value,
      })),
    ],
    ...(clickThrough === undefined ? {} : { clickThrough }),
    ...(skipOffset === undefined ? {} : { skipOffset }),
    tracking: playerEvents(ad, tracking),
  };
}

/**
 * @param clips of the whole pod, also for a player that joins during the break
 * @param canSkip whether what an ad replaces goes on when it is skipped, which is the case on demand only
 */
export function writeAssetList(clips: readonly ListedClip[], tracking: FeedContext['tracking'], canSkip: boolean) {
  const [first] = clips;
  // A skip ends the whole pod, so other ads would be lost with it.
  const offset = canSkip && clips.length === 1 && first !== undefined ? skipOffsetOf(first) : undefined;
  let start = 0;
  const slots = clips.flatMap((clip) => {
    const from = start;
    start += seconds(clip.duration);
    return clip.ad === undefined ? [] : [slotOf(clip, clip.ad, Math.round(from * 1e6) / 1e6, tracking)];
  });
  const signals = clips.map((clip) => {
    const slot = clip.ad && slotOf(clip, clip.ad, 0, tracking);
    return slot && { version: 2, type: 'slot', payload: [slot] };
  });
  return {
    ASSETS: clips.map(({ url, duration }, index) => ({
      URI: url,
      DURATION: seconds(duration),
      ...(signals[index] && { 'X-AD-CREATIVE-SIGNALING': signals[index] }),
    })),
    ...(offset === undefined ? {} : { 'SKIP-CONTROL': { OFFSET: offset, 'LABEL-ID': 'skip' } }),
    ...(slots.length > 1 && {
      'X-AD-CREATIVE-SIGNALING': { version: 2, type: 'pod', payload: slots.map(({ tracking: _, ...slot }) => slot) },
    }),
  };
}
