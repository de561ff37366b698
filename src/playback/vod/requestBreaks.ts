// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a presentation: one request for each planned break, all at the same time; or one for the presentation.
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { BreakPlan } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/breakPositions.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import type { PresentationOutcome } from '../request/requestPresentation.ts';
import type { RequestedBreak } from './fitBreaks.ts';
import { contextOf, NO_AD_SERVER, type RequestFacts, resumedPlan } from './requestContext.ts';
import { type RequestedPlan, requestVmap } from './requestVmap.ts';

export type RequestBreaksDeps = {
  readonly requestAds: (context: AdRequestContext) => Promise<AdRequestOutcome>;
  readonly requestPresentation: (context: AdRequestContext) => Promise<PresentationOutcome>;
};

async function requestPlan(
  facts: RequestFacts,
  plan: BreakPlan,
  { requestAds }: RequestBreaksDeps,
): Promise<RequestedPlan> {
  const positions = breakPositions(plan.breaks, facts.viewer.title.duration);
  const requested = plan.breaks.map(async (planned, index): Promise<RequestedBreak> => {
    const context = contextOf(facts, planned, positions[index]!);
    if (context === undefined) return { planned, context, outcome: undefined, reason: NO_AD_SERVER };
    try {
      return { planned, context, outcome: await requestAds(context) };
    } catch (error) {
      return {
        planned,
        context,
        outcome: undefined,
        reason: { code: 'DECISION_FAILED', text: `Requesting its ads failed: ${String(error)}` },
      };
    }
  });
  return { plan, requested: await Promise.all(requested) };
}

/** @returns the plan of the session, and the outcome of each request */
export async function requestBreaks(facts: RequestFacts, deps: RequestBreaksDeps): Promise<RequestedPlan> {
  const { plan } = facts.viewer.session.vod!;
  if (plan === undefined) return requestVmap(facts, deps.requestPresentation);
  return requestPlan(facts, resumedPlan(facts, plan), deps);
}
