// SPDX-License-Identifier: Apache-2.0
// Fits the ads of a presentation's breaks. All creatives are awaited together; then the breaks are fitted in playing order, so
// that later ones prefer ads that are not in earlier ones.
import type { CreativeLibrary } from '../../ads/creative/creative.ts';
import type { Bumpers } from '../../ads/pod/fitPod.ts';
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import type { BreakRecordParts } from '../../ads/record/buildBreakRecord.ts';
import { LONGEST_BREAK_SECONDS } from '../../channels/cuePoints.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import { secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import type { PlannedBreak } from '../../vod/breakPlan.ts';
import type { AdChannel } from '../decide/channelBumpers.ts';
import { awaitCreatives, type ChosenPod, choosePod, shownIn } from '../decide/choosePod.ts';
import type { AdRequestContext } from '../request/requestAds.ts';

/** A break whose ads were requested; `context` is absent if the channel has no ad server. */
export type RequestedBreak = {
  readonly planned: PlannedBreak;
  readonly outcome: AdRequestOutcome | undefined;
  readonly context: AdRequestContext | undefined;
  /** Why no ads were requested. */
  readonly reason?: BreakRecordParts['reason'];
};

export type FittedBreak = Pick<RequestedBreak, 'planned' | 'context'> &
  Pick<ChosenPod, 'parts' | 'errors' | 'conditionCopies'> & { readonly shown: ReturnType<typeof shownIn> };

export type FitDeps = { readonly library: CreativeLibrary; readonly now: () => Millis; readonly timers: Timers };

const without = ({ planned, context, reason }: RequestedBreak): FittedBreak => ({
  planned,
  context,
  parts: { tried: [], warnings: planned.warnings, ...(reason ? { reason } : {}) },
  errors: [],
  shown: { ads: [] },
  conditionCopies: () => {},
});

export async function fitBreaks(
  channel: AdChannel,
  requested: readonly RequestedBreak[],
  { bumpers, warnings }: { readonly bumpers: Bumpers; readonly warnings: readonly string[] },
  closeAt: Millis,
  deps: FitDeps,
): Promise<readonly FittedBreak[]> {
  const rate = channel.ladder.frameRate;
  const tried = await Promise.all(
    requested.map(({ outcome }) => (outcome === undefined ? [] : awaitCreatives(channel, { outcome, closeAt }, deps))),
  );
  const before: { startsAt: number; ads: FittedBreak['shown']['ads'] }[] = [];
  return requested.map((one, index): FittedBreak => {
    const { planned, outcome, context } = one;
    if (outcome === undefined) return without(one);
    const { isOpen, duration, maxAds, id } = planned;
    const adBreak = {
      breakFrames: secondsToFrames(isOpen ? LONGEST_BREAK_SECONDS : duration, rate),
      isInserted: true,
      ...(maxAds === undefined ? {} : { maxAds }),
    };
    const seen = seenBefore(before, index);
    const chosen = choosePod(channel, adBreak, { outcome, bumpers, seen }, tried[index] ?? []);
    const shown = shownIn(id, chosen.parts);
    if (shown.ads.length > 0) before.push({ startsAt: index, ads: shown.ads });
    const parts = { ...chosen.parts, warnings: [...planned.warnings, ...warnings, ...outcome.warnings] };
    return { planned, context, shown, parts, errors: chosen.errors, conditionCopies: chosen.conditionCopies };
  });
}
