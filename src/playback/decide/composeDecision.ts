// SPDX-License-Identifier: Apache-2.0
// Builds the decision to store and its record from a fitted pod. Pure.

import type { Decision, StitchedAd } from '../../ads/placement/decision.ts';
import { adIdOf } from '../../ads/placement/decision.ts';
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord } from '../../ads/record/buildBreakRecord.ts';
import type { StoredDecision } from '../../sessions/ports.ts';
import { breakOf } from '../../timeline/programme/span.ts';
import { type Airing, placeDecision } from '../onAir/airing.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';

export type Composed = {
  readonly decision: Decision;
  readonly stored: StoredDecision;
  readonly record: BreakRecord;
};

/** What a break shows, without its place: bumpers, and ads with the ids that manifests and feeds use. */
export function shownIn(
  breakId: string,
  { pod }: Pick<BreakRecordParts, 'pod'>,
  joined = 0,
): Pick<Decision, 'ads' | 'intro' | 'outro'> {
  const { ads = [], intro, outro } = pod ?? {};
  const bumpers = { ...(intro ? { intro } : {}), ...(outro ? { outro } : {}) };
  return {
    ads: ads.map(
      ({ creativeId, frames }, index): StitchedAd => ({
        adId: adIdOf(breakId, { joined, ...bumpers }, index),
        mediaId: creativeId,
        frames,
      }),
    ),
    ...bumpers,
  };
}

/** @param parts without `pod`, the whole break is slate */
export function composeDecision(airing: Airing, viewer: Viewer, own: OwnBreak, parts: BreakRecordParts): Composed {
  const { span, joined } = own;
  const { id, frames, live } = span.break!;
  const decision: Decision = { breakId: id, startsAt: breakOf(span)!.startsAt, joined, ...shownIn(id, parts, joined) };
  const before = seenBefore(viewer.state.decisions, decision.startsAt);
  const stored: StoredDecision = {
    ...decision,
    shift: placeDecision(airing, span, decision).shift,
    ...(before === '' ? {} : { before }),
  };
  const place = { id, start: span.placed.start, rate: airing.ladder.frameRate, frames, joined };
  const showsContent = live?.fill === 'content';
  return { decision, stored, record: buildBreakRecord({ ...place, showsContent }, parts) };
}
