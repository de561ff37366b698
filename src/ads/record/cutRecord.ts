// SPDX-License-Identifier: Apache-2.0
// The record of a live break whose length turned out to differ from the announced one. Ads after an early return were not
// shown, or only in part. Cutting a record again changes nothing, so several nodes may do it.
import type { StitchedAd } from '../placement/decision.ts';
import type { ShownFrames } from '../placement/shownFrames.ts';
import type { AdRecord, BreakRecord, Reason } from './breakRecord.ts';
import { seconds, withoutAds } from './buildBreakRecord.ts';

/** The reason of ads that an early return cut or left out, and of their break. */
const earlyReturn = (text: string): Reason => ({ code: 'EARLY_RETURN', text });

/** @param shown frames; @param length of the break, in seconds */
function cutAd(ad: AdRecord, shown: number, length: number, { rate }: ShownFrames): AdRecord {
  if (shown > 0) {
    const part = seconds(shown, rate);
    return {
      ...ad,
      shown: part,
      reason: earlyReturn(`The break ended after ${length} s; ${part} s of this ad were shown.`),
    };
  }
  const { startsAt: _, creative: __, vast, assetUrl: ___, ...rest } = ad;
  const reason = earlyReturn(`The break ended after ${length} s, before this ad.`);
  return { ...rest, adId: vast?.id ?? '', outcome: 'skipped', reason };
}

/** @param ads of the decision */
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
