// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a whole presentation: one request, whose response names the breaks (VMAP).

import type { BreakRecordParts } from '../../ads/record/buildBreakRecord.ts';
import { DEFAULT_BREAK_DURATION } from '../../channels/channel.ts';
import { flicks } from '../../time/units.ts';
import { type BreakPlan, breakIdAt, type PlannedBreak } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/breakPositions.ts';
import { planVmap } from '../../vod/planVmap.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import { joinBreaks, type PresentationOutcome } from '../request/requestPresentation.ts';
import type { RequestedBreak } from './fitBreaks.ts';
import { contextOf, NO_AD_SERVER, type RequestFacts, resumedPlan } from './requestContext.ts';

export type RequestedPlan = {
  readonly plan: BreakPlan;
  readonly requested: readonly RequestedBreak[];
  /** The response that named the breaks, for the trace. */
  readonly document?: BreakRecordParts;
};

/** The id of the record of a response that names the breaks. */
export const DOCUMENT_ID = breakIdAt(0);

/** The ads of VAST without a position in the content are a pre-roll. */
function preRoll(outcome: PresentationOutcome, duration: number): PlannedBreak {
  const warnings = ['The ad server returned VAST, not VMAP, so its ads are shown as a pre-roll.'];
  const at = flicks(0);
  return {
    id: breakIdAt(1),
    origin: 'vmap',
    at,
    requested: at,
    duration,
    isOpen: true,
    warnings: outcome.ads.length > 0 ? warnings : [],
  };
}

/** Requests the breaks of the whole presentation. The response may have breaks that cannot be placed; their ads are not shown. */
export async function requestVmap(
  facts: RequestFacts,
  requestPresentation: (context: AdRequestContext) => Promise<PresentationOutcome>,
): Promise<RequestedPlan> {
  const { channel, viewer } = facts;
  const { breakDuration } = channel;
  const { title, session } = viewer;
  const duration = breakDuration ?? DEFAULT_BREAK_DURATION;
  const none = { breaks: [], dropped: [] };
  const context = contextOf(facts, { id: DOCUMENT_ID, duration }, { kind: 'pre', contentTime: 0 });
  if (context === undefined) return { plan: none, requested: [], document: { tried: [], reason: NO_AD_SERVER } };
  const outcome = await requestPresentation(context);
  const { breaks, request, response, warnings, reason, wrappers } = outcome;
  if (breaks !== undefined) {
    const vmaps = breaks.map(({ vmap }) => vmap);
    const { plan, sources } = planVmap(title, vmaps, breakDuration, session.vod!.opportunities);
    const own = resumedPlan(facts, plan);
    const positions = breakPositions(own.breaks, title.duration);
    const requested = own.breaks.map((planned, place): RequestedBreak => {
      const outcomes = sources.get(planned.id)!.map((index) => breaks[index]!.outcome);
      return {
        planned,
        context: contextOf(facts, planned, positions[place]!),
        outcome: { request, ...joinBreaks(outcomes) },
      };
    });
    return {
      plan: own,
      requested,
      document: {
        tried: [],
        ...{ request, warnings },
        ...(response ? { response } : {}),
        ...(reason ? { reason } : {}),
      },
    };
  }
  if (outcome.ads.length > 0) {
    const own = resumedPlan(facts, { breaks: [preRoll(outcome, duration)], dropped: [] });
    return { plan: own, requested: own.breaks.map((planned) => ({ planned, context, outcome })) };
  }
  const rest = { ...(response ? { response } : {}), ...(wrappers ? { wrappers } : {}), ...(reason ? { reason } : {}) };
  return { plan: none, requested: [], document: { tried: [], request, warnings, dropped: outcome.dropped, ...rest } };
}
