// SPDX-License-Identifier: Apache-2.0
// Builds the decision to store and its record from a fitted pod. Pure.
import { breakClips } from '../../ads/placement/breakClips.ts';
import { adIdOf } from '../../ads/placement/clipIds.ts';
import type { Decision, StitchedAd } from '../../ads/placement/decision.ts';
import { shiftOf } from '../../ads/placement/personalise.ts';
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord } from '../../ads/record/buildBreakRecord.ts';
import type { StoredDecision } from '../../sessions/ports.ts';
import { spanStart } from '../../timeline/programme/span.ts';
import type { Airing } from '../onAir/airing.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';

export type Composed = {
  readonly decision: Decision;
  readonly stored: StoredDecision;
  readonly record: BreakRecord;
};

export type DecisionParts = Omit<BreakRecordParts, 'span' | 'joined' | 'rate'>;

/** @param parts without `pod`, the whole break is slate */
export function composeDecision(airing: Airing, viewer: Viewer, own: OwnBreak, parts: DecisionParts): Composed {
  const { span, joined } = own;
  const { ads: fitted = [], intro, outro } = parts.pod ?? {};
  const ads = fitted.map(
    ({ creativeId, frames }, index): StitchedAd => ({
      adId: adIdOf(span.break!.id, { joined, ...(intro ? { intro } : {}) }, index),
      mediaId: creativeId,
      frames,
    }),
  );
  const decision: Decision = {
    breakId: span.break!.id,
    startsAt: spanStart(span),
    joined,
    ads,
    ...(intro ? { intro } : {}),
    ...(outro ? { outro } : {}),
  };
  const clips = breakClips(decision, span.break!, airing.clips).map(({ clip }) => clip);
  const before = seenBefore(viewer.state.decisions, decision.startsAt);
  const stored: StoredDecision = {
    ...decision,
    shift: shiftOf(span.placed.clip, clips),
    ...(before === '' ? {} : { before }),
  };
  return { decision, stored, record: buildBreakRecord({ ...parts, span, joined, rate: airing.ladder.frameRate }) };
}
