// SPDX-License-Identifier: Apache-2.0
// The asset list of a break: what a guided player plays in it (draft-pantos-hls-rfc8216bis Appendix D.2), with the signal of each ad
// (SVTA 2053-1, version 2). URLs that Midroll requests itself are left out, so that nothing is counted twice.
import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type { StitchedAd } from '../../ads/record/breakRecord.ts';
import { FLICKS_PER_SECOND, type Flicks, flicksToMicros, millis } from '../../time/units.ts';
import type { VastOffset } from '../../vast/response.ts';
import { adEvents, type FeedContext } from './feedEvents.ts';

/** `ad` is the record of the clip if it is not slate or a bumper. */
type ListedClip = { readonly duration: Flicks; readonly ad?: StitchedAd | undefined };

/** Clips, in playing order, that the player plays as one presentation. */
export type ListedAsset = { readonly url: string; readonly clips: readonly ListedClip[] };

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

type Options = {
  readonly tracking: FeedContext['tracking'];
  /** Whether what an ad replaces goes on when it is skipped, which is the case on demand only. */
  readonly canSkip: boolean;
  /** Where in the break the player joins, in seconds: its `_HLS_start_offset`, or 0. */
  readonly joinedAt: number;
};

/** Shaka Player 5.2 never ends an asset that it joins in the last half second, so it joins the next one. */
const LEAST_JOINED = 0.75;

/** @returns the duration of an asset that starts at `from`, or where the player joins, if that is just before its end */
function listedDuration(from: number, duration: number, joinedAt: number): number {
  const played = joinedAt - from;
  const isNearEnd = played > 0 && played < duration && duration - played < LEAST_JOINED;
  return isNearEnd ? Math.max(0.001, Math.floor(played * 1000 - 1) / 1000) : duration;
}

const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

/** The slots of the clips of an asset. */
function slotsOf(clips: readonly ListedClip[], tracking: FeedContext['tracking']) {
  let start = 0;
  return clips.flatMap((clip) => {
    const from = start;
    start += seconds(clip.duration);
    return clip.ad === undefined ? [] : [slotOf(clip, clip.ad, rounded(from), tracking)];
  });
}

/** @param assets of the whole pod, also for a player that joins during the break */
export function writeAssetList(assets: readonly ListedAsset[], { tracking, canSkip, joinedAt }: Options) {
  const clips = assets.flatMap((asset) => asset.clips);
  const [first] = clips;
  // A skip ends the whole pod, so other ads would be lost with it.
  const offset = canSkip && clips.length === 1 && first !== undefined ? skipOffsetOf(first) : undefined;
  let end = 0;
  const listed = assets.map(({ url, clips: own }) => {
    const from = end;
    const duration = own.reduce((sum, clip) => sum + seconds(clip.duration), 0);
    end += duration;
    return { url, from, duration, payload: slotsOf(own, tracking) };
  });
  const slots = listed.flatMap(({ from, payload }) =>
    payload.map(({ tracking: _, ...slot }) => ({ ...slot, start: rounded(from + slot.start) })),
  );
  return {
    ASSETS: listed.map(({ url, from, duration, payload }) => ({
      URI: url,
      DURATION: rounded(listedDuration(from, duration, joinedAt)),
      ...(payload.length > 0 && {
        'X-AD-CREATIVE-SIGNALING': { version: 2, type: payload.length === 1 ? 'slot' : 'pod', payload },
      }),
    })),
    ...(offset === undefined ? {} : { 'SKIP-CONTROL': { OFFSET: offset, 'LABEL-ID': 'skip' } }),
    ...(slots.length > 1 && { 'X-AD-CREATIVE-SIGNALING': { version: 2, type: 'pod', payload: slots } }),
  };
}
