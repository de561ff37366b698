// SPDX-License-Identifier: Apache-2.0
// Builds the record of a decided break from the ad request, its outcome and the pod. The function is pure, so the record
// cannot differ from the decision.
import { defined, withoutUndefined } from '../../invariant.ts';
import { type FrameRate, framesToFlicks, type Millis } from '../../time/units.ts';
import { clockAt, type Instant } from '../../timeline/programme/span.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adIdOf, type StitchedAd } from '../placement/decision.ts';
import type { ShownFrames } from '../placement/shownFrames.ts';
import { shownCreative } from '../pod/chooseMediaFiles.ts';
import { bumperFrames, type FramedPod } from '../pod/fitPod.ts';
import { skipsReason } from '../pod/shortfall.ts';
import type { AdRecord, BreakPosition, BreakRecord, CreativeUse, DroppedAd, Reason } from './breakRecord.ts';
import type { Offer } from './offer.ts';

/** A candidate for the pod: the ad as returned, and what was known of its creative. */
export type TriedAd = {
  readonly ad: InLineAd;
  readonly title?: string;
  /** Seconds, from its VAST. */
  readonly duration: number;
  /** When the pod was fitted. */
  readonly media?: ConditionedMedia;
  /** Tracking events of its VMAP break: the same array for all ads of that break. */
  readonly breakTracking?: readonly TrackingEvent[];
  /** The chosen media file, with its macros filled. */
  readonly assetUrl?: string | undefined;
  readonly offer?: Offer;
};

export type RecordedPlace = {
  readonly id: string;
  readonly start: Instant;
  readonly rate: FrameRate;
  /** The length of the break; absent for an inserted break, which is as long as what it shows. */
  readonly frames?: number;
  /** The frame at which a late joiner's ads begin. */
  readonly joined?: number;
  /** A break of a live channel that shows the origin's content instead of slate. */
  readonly showsContent?: boolean;
  readonly position?: BreakPosition;
};

export type BreakRecordParts = Partial<
  Pick<BreakRecord, 'request' | 'response' | 'wrappers' | 'sources' | 'adsHook' | 'warnings' | 'limits'>
> & {
  readonly prefetchedAt?: Millis;
  readonly tried: readonly TriedAd[];
  /** One for each of `tried`. */
  readonly pod?: FramedPod;
  /** Skipped before the pod was fitted. */
  readonly dropped?: readonly (Omit<DroppedAd, 'skip'> & { readonly skip: Reason })[];
  /** Why there are no ads. */
  readonly reason?: Reason;
};

export const seconds = (frames: number, { n, d }: FrameRate): number => Math.round(((frames * d) / n) * 1e6) / 1e6;
const isoAt = ({ start, rate }: RecordedPlace, frame: number): string =>
  new Date(clockAt(start, framesToFlicks(frame, rate))).toISOString();

function described({ ad, title, duration, offer }: TriedAd) {
  const creativeId = shownCreative(ad)?.id;
  const names = { ...(creativeId ? { creativeId } : {}), ...(title ? { title } : {}) };
  return { ...names, duration, ...(offer ? { offer } : {}) };
}

const useOf = ({ asset, unlike }: ConditionedMedia): CreativeUse =>
  asset === undefined ? { use: 'conditioned', ...(unlike ? { reason: unlike } : {}) } : { use: 'asIs' };

function stitchedAds(place: RecordedPlace, { tried, pod }: BreakRecordParts): AdRecord[] {
  const { id, joined = 0, rate } = place;
  let at = joined + (pod?.intro?.frames ?? 0);
  return (pod?.ads ?? []).map(({ candidate, frames }, index) => {
    const one = defined(tried[candidate], 'a pod consists of ads that were tried');
    const { ad, media, assetUrl } = one;
    const startsAt = isoAt(place, at);
    at += frames;
    return {
      ...described(one),
      adId: adIdOf(id, { joined, ...(pod?.intro ? { intro: pod.intro } : {}) }, index),
      duration: seconds(frames, rate),
      outcome: 'stitched',
      startsAt,
      vast: ad,
      ...withoutUndefined({ creative: media && useOf(media), assetUrl }),
    };
  });
}

function skippedAds({ tried, pod, dropped = [] }: BreakRecordParts): AdRecord[] {
  const unfit = tried.flatMap((one, index): AdRecord[] => {
    const adOutcome = pod?.outcomes[index];
    if (adOutcome?.outcome !== 'skipped') return [];
    const { outcome: _, ...reason } = adOutcome;
    return [{ ...described(one), adId: one.ad.id ?? '', outcome: 'skipped', reason }];
  });
  const lost = dropped.map(
    ({ id, title, skip, offer }): AdRecord => ({
      adId: id,
      ...(title ? { title } : {}),
      duration: 0,
      outcome: 'skipped',
      reason: { code: skip.code, text: skip.text },
      ...withoutUndefined({ offer }),
    }),
  );
  return [...unfit, ...lost];
}

/** The tracking events of those VMAP breaks of which an ad is shown (VMAP 1.0.1 §2.4). */
function breakTracking({ tried, pod }: BreakRecordParts): TrackingEvent[] {
  const lists = (pod?.ads ?? []).map(({ candidate }) => tried[candidate]?.breakTracking ?? []);
  return [...new Set(lists)].flat();
}

type Ads = readonly AdRecord[];

const isFull = ({ frames }: RecordedPlace, skipped: Ads, shown: number): boolean =>
  frames === undefined ? skipped.length === 0 : shown === frames;

/** Ads that were skipped before the pod was fitted are the only reason why it is not full. */
function insertedReason({ frames }: RecordedPlace, stitched: Ads, skipped: Ads): Reason | undefined {
  if (frames !== undefined || stitched.length === 0 || skipped.length === 0) return undefined;
  return skipsReason(skipped.flatMap(({ reason }) => reason ?? []));
}

/** @param rest seconds without ads. After a cut ad, they are slate */
const withoutAds = (showsContent: boolean, rest: number): Pick<BreakRecord, 'slate' | 'content'> =>
  showsContent && rest > 0 ? { slate: 0, content: rest } : { slate: rest };

export function buildBreakRecord(place: RecordedPlace, parts: BreakRecordParts): BreakRecord {
  const { id, rate, position } = place;
  const { pod, request, prefetchedAt, response, wrappers = [], sources, adsHook, limits } = parts;
  const tracking = breakTracking(parts);
  const stitched = stitchedAds(place, parts);
  const skipped = skippedAds(parts);
  const around = bumperFrames(pod ?? {});
  const shown = (pod?.ads ?? []).reduce((sum, ad) => sum + ad.frames, around);
  const frames = place.frames ?? shown;
  const reason = parts.reason ?? pod?.reason ?? insertedReason(place, stitched, skipped);
  return {
    id,
    startsAt: isoAt(place, 0),
    duration: seconds(frames, rate),
    status: stitched.length === 0 ? 'empty' : isFull(place, skipped, shown) ? 'filled' : 'partial',
    ...withoutUndefined({ reason: reason && { code: reason.code, text: reason.text }, position, request, response }),
    ...(prefetchedAt === undefined ? {} : { prefetched: true, requestedAt: new Date(prefetchedAt).toISOString() }),
    ...(wrappers.length > 0 ? { wrappers } : {}),
    ...withoutUndefined({ sources, adsHook }),
    warnings: parts.warnings ?? [],
    ads: [...stitched, ...skipped],
    ...withoutUndefined({ limits }),
    ...(tracking.length > 0 ? { tracking } : {}),
    ...withoutAds(place.showsContent === true, seconds(frames - shown, rate)),
    ...(around > 0 ? { bumpers: seconds(around, rate) } : {}),
  };
}

/** The reason of ads that an early return cut or left out, and of their break. */
const earlyReturn = (text: string): Reason => ({ code: 'EARLY_RETURN', text });

/** @param shown frames; @param length of the break, in seconds */
function cutAd(ad: AdRecord, shown: number, length: number, { rate }: ShownFrames): AdRecord {
  if (shown > 0) {
    const part = seconds(shown, rate);
    const text = `The break ended after ${length} s; ${part} s of this ad were shown.`;
    return { ...ad, shown: part, reason: earlyReturn(text) };
  }
  const { startsAt: _, creative: __, vast, assetUrl: ___, ...rest } = ad;
  const reason = earlyReturn(`The break ended after ${length} s, before this ad.`);
  return { ...rest, adId: vast?.id ?? '', outcome: 'skipped', reason };
}

/**
 * The record of a live break whose length turned out to differ from the announced one. Ads after an early return were not
 * shown, or only in part. Cutting a record again changes nothing, so several nodes may do it.
 * @param ads of the decision
 */
export function cutRecord(record: BreakRecord, ads: readonly StitchedAd[], shown: ShownFrames): BreakRecord {
  const length = seconds(shown.frames, shown.rate);
  const ofPod = shown.ads.reduce((sum, frames) => sum + frames, shown.bumpers);
  const free = seconds(Math.max(0, shown.frames - ofPod), shown.rate);
  const { bumpers: _, slate: __, content, ...rest } = record;
  const own = record.ads.map((ad): AdRecord => {
    const index = ad.outcome === 'stitched' ? ads.findIndex(({ adId }) => adId === ad.adId) : -1;
    const frames = shown.ads[index];
    return frames === undefined || frames === ads[index]?.frames ? ad : cutAd(ad, frames, length, shown);
  });
  const isCut = ads.some(({ frames }, index) => frames !== shown.ads[index]);
  const isEmpty = own.every(({ outcome }) => outcome !== 'stitched');
  const status = isEmpty ? 'empty' : free > 0 ? 'partial' : 'filled';
  return {
    ...rest,
    duration: length,
    ...(isCut
      ? { status, reason: earlyReturn(`The break ended after ${length} s, before its last ad had ended.`) }
      : {}),
    ads: own,
    ...withoutAds(content !== undefined && ads.length === 0, free),
    ...(shown.bumpers > 0 ? { bumpers: seconds(shown.bumpers, shown.rate) } : {}),
  };
}
