// SPDX-License-Identifier: Apache-2.0
// Builds the record of a decided break from the ad request, its outcome and the pod. The function is pure, so the record
// cannot differ from the decision.
import { type FrameRate, framesToFlicks } from '../../time/units.ts';
import { clockAt, type Span, spanStart } from '../../timeline/programme/span.ts';
import type { InLineAd, TrackingEvent } from '../../vast/response.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adIdOf } from '../placement/clipIds.ts';
import { bumperFrames, type FramedPod } from '../pod/fitFramedPod.ts';
import { shownCreative } from '../pod/shownCreative.ts';
import type { AdRecord, BreakRecord, CreativeUse, Reason } from './breakRecord.ts';

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
};

export type BreakRecordParts = {
  readonly span: Span;
  readonly joined: number;
  readonly rate: FrameRate;
  readonly request?: BreakRecord['request'];
  readonly response?: BreakRecord['response'];
  readonly wrappers?: BreakRecord['wrappers'];
  readonly warnings?: readonly string[];
  readonly tried: readonly TriedAd[];
  /** One for each of `tried`. */
  readonly pod?: FramedPod;
  /** Skipped before the pod was fitted. */
  readonly dropped?: readonly { readonly id: string; readonly title?: string; readonly skip: Reason }[];
  /** Why there are no ads. */
  readonly reason?: Reason;
};

const seconds = (frames: number, { n, d }: FrameRate): number => Math.round(((frames * d) / n) * 1e6) / 1e6;
const isoAt = (span: Span, frame: number, rate: FrameRate): string =>
  new Date(clockAt(span.placed.start, framesToFlicks(frame, rate))).toISOString();

function described({ ad, title, duration }: TriedAd) {
  const creativeId = shownCreative(ad)?.id;
  return { ...(creativeId ? { creativeId } : {}), ...(title ? { title } : {}), duration };
}

const useOf = ({ asset, unlike }: ConditionedMedia): CreativeUse =>
  asset === undefined ? { use: 'conditioned', ...(unlike ? { reason: unlike } : {}) } : { use: 'asIs' };

function stitchedAds({ span, joined, rate, tried, pod }: BreakRecordParts): AdRecord[] {
  let at = joined + (pod?.intro?.frames ?? 0);
  return (pod?.ads ?? []).map(({ candidate, frames }, index) => {
    const { ad, media, assetUrl } = tried[candidate]!;
    const startsAt = isoAt(span, at, rate);
    at += frames;
    return {
      ...described(tried[candidate]!),
      adId: adIdOf(span.break!.id, { joined, ...(pod?.intro ? { intro: pod.intro } : {}) }, index),
      duration: seconds(frames, rate),
      outcome: 'stitched',
      startsAt,
      ...(media === undefined ? {} : { creative: useOf(media) }),
      vast: ad,
      ...(assetUrl === undefined ? {} : { assetUrl }),
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
    ({ id, title, skip }): AdRecord => ({
      adId: id,
      ...(title ? { title } : {}),
      duration: 0,
      outcome: 'skipped',
      reason: { code: skip.code, text: skip.text },
    }),
  );
  return [...unfit, ...lost];
}

/** The tracking events of those VMAP breaks of which an ad is shown (VMAP 1.0.1 §2.4). */
function breakTracking({ tried, pod }: BreakRecordParts): TrackingEvent[] {
  const lists = (pod?.ads ?? []).map(({ candidate }) => tried[candidate]!.breakTracking ?? []);
  return [...new Set(lists)].flat();
}

export function buildBreakRecord(parts: BreakRecordParts): BreakRecord {
  const { span, rate, pod, request, response, wrappers = [] } = parts;
  const tracking = breakTracking(parts);
  const { id, frames } = span.break!;
  const stitched = stitchedAds(parts);
  const adFrames = (pod?.ads ?? []).reduce((sum, ad) => sum + ad.frames, 0);
  const around = bumperFrames(pod ?? {});
  const reason = parts.reason ?? pod?.reason;
  return {
    id,
    startsAt: new Date(spanStart(span)).toISOString(),
    duration: seconds(frames, rate),
    status: adFrames === 0 ? 'empty' : adFrames + around === frames ? 'filled' : 'partial',
    ...(reason ? { reason: { code: reason.code, text: reason.text } } : {}),
    ...(request ? { request } : {}),
    ...(response ? { response } : {}),
    ...(wrappers.length > 0 ? { wrappers } : {}),
    warnings: parts.warnings ?? [],
    ads: [...stitched, ...skippedAds(parts)],
    ...(tracking.length > 0 ? { tracking } : {}),
    slate: seconds(frames - adFrames - around, rate),
    ...(around > 0 ? { bumpers: seconds(around, rate) } : {}),
  };
}
