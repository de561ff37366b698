// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a presentation: one request for each planned break, all at the same time; or one for the presentation.
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { BreakPlan } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/breakPositions.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import type { RequestedBreak } from './fitBreaks.ts';
import {
  contextOf,
  logFailure,
  NO_AD_SERVER,
  REQUEST_FAILED,
  type RequestFacts,
  resumedPlan,
} from './requestContext.ts';
import { type RequestedPlan, type RequestVmapDeps, requestVmap } from './requestVmap.ts';

export type RequestBreaksDeps = RequestVmapDeps & {
  readonly requestAds: (context: AdRequestContext) => Promise<AdRequestOutcome>;
};

async function requestPlan(
  facts: RequestFacts,
  plan: BreakPlan,
  { requestAds, log }: RequestBreaksDeps,
): Promise<RequestedPlan> {
  const positions = breakPositions(plan.breaks, facts.viewer.title.duration);
  const requested = plan.breaks.map(async (planned, index): Promise<RequestedBreak> => {
    const context = contextOf(facts, planned, positions[index]!);
    if (context === undefined) return { planned, context, outcome: undefined, reason: NO_AD_SERVER };
    try {
      return { planned, context, outcome: await requestAds(context) };
    } catch (error) {
      logFailure(facts, planned.id, error, log);
      return { planned, context, outcome: undefined, reason: REQUEST_FAILED };
    }
  });
  return { plan, requested: await Promise.all(requested) };
}

/** @returns the plan of the session, and the outcome of each request */
export async function requestBreaks(facts: RequestFacts, deps: RequestBreaksDeps): Promise<RequestedPlan> {
  const { plan } = facts.viewer.session.vod!;
  if (plan === undefined) return requestVmap(facts, deps);
  return requestPlan(facts, resumedPlan(facts, plan), deps);
}
