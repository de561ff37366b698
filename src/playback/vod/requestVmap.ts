// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a whole presentation: one request, whose response names the breaks (VMAP).

import type { ErrorBeacon } from '../../ads/record/adRequestOutcome.ts';
import type { BreakRecordParts } from '../../ads/record/buildBreakRecord.ts';
import { DEFAULT_BREAK_DURATION } from '../../channels/channel.ts';
import { flicks } from '../../time/units.ts';
import { type BreakPlan, breakIdAt, type PlannedBreak } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/breakPositions.ts';
import { planVmap } from '../../vod/planVmap.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import { joinBreaks, type PresentationBreak, type PresentationOutcome } from '../request/requestPresentation.ts';
import type { RequestedBreak } from './fitBreaks.ts';
import {
  contextOf,
  logFailure,
  NO_AD_SERVER,
  REQUEST_FAILED,
  type RequestFacts,
  resumedPlan,
} from './requestContext.ts';

export type RequestedPlan = {
  readonly plan: BreakPlan;
  readonly requested: readonly RequestedBreak[];
  /** The response that named the breaks, for the trace. */
  readonly document?: BreakRecordParts;
  /** Error URLs of a response without ads. */
  readonly unshown?: { readonly context: AdRequestContext; readonly errors: readonly ErrorBeacon[] };
};

/** The id of the record of a response that names the breaks. */
export const DOCUMENT_ID = breakIdAt(0);

function preRoll(duration: number): PlannedBreak {
  const warnings = ['The ad server returned VAST, not VMAP, so its ads are shown as a pre-roll.'];
  const at = flicks(0);
  return { id: breakIdAt(1), origin: 'vmap', at, requested: at, duration, isOpen: true, warnings };
}

/** The breaks that the response names. Some may have no place in the content; their ads are not shown. */
function namedPlan(
  facts: RequestFacts,
  outcome: PresentationOutcome,
  breaks: readonly PresentationBreak[],
): RequestedPlan {
  const { title, session } = facts.viewer;
  const { request, response, warnings } = outcome;
  const vmaps = breaks.map(({ vmap }) => vmap);
  const named = planVmap(title, vmaps, facts.channel.breakDuration, session.vod!.opportunities);
  const plan = resumedPlan(facts, named.plan);
  const positions = breakPositions(plan.breaks, title.duration);
  const requested = plan.breaks.map((planned, index): RequestedBreak => {
    const outcomes = named.sources.get(planned.id)!.map((source) => breaks[source]!.outcome);
    const context = contextOf(facts, planned, positions[index]!);
    return { planned, context, outcome: { request, ...joinBreaks(outcomes) } };
  });
  const count = `${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}`;
  const reason = outcome.reason ?? {
    code: 'NAMES_BREAKS',
    text: `This response names ${count}. Their records follow.`,
  };
  return { plan, requested, document: { tried: [], request, warnings, reason, ...(response ? { response } : {}) } };
}

export type RequestVmapDeps = {
  readonly requestPresentation: (context: AdRequestContext) => Promise<PresentationOutcome>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Requests the breaks of the whole presentation. Ads of a response without breaks (VAST) are a pre-roll. */
export async function requestVmap(
  facts: RequestFacts,
  { requestPresentation, log }: RequestVmapDeps,
): Promise<RequestedPlan> {
  const duration = facts.channel.breakDuration ?? DEFAULT_BREAK_DURATION;
  const context = contextOf(facts, { id: DOCUMENT_ID, duration }, { kind: 'pre', contentTime: 0 });
  if (context === undefined) return { plan: none, requested: [], document: { tried: [], reason: NO_AD_SERVER } };
  const outcome = await requestPresentation(context).catch((error: unknown) => {
    logFailure(facts, DOCUMENT_ID, error, log);
    return undefined;
  });
  if (outcome === undefined) return { plan: none, requested: [], document: { tried: [], reason: REQUEST_FAILED } };
  if (outcome.breaks !== undefined) return namedPlan(facts, outcome, outcome.breaks);
  if (outcome.ads.length === 0) {
    const unshown = { context, errors: outcome.errors };
    return { plan: none, requested: [], document: { ...outcome, tried: [] }, unshown };
  }
  const plan = resumedPlan(facts, { breaks: [preRoll(duration)], dropped: [] });
  return { plan, requested: plan.breaks.map((planned) => ({ planned, context, outcome })) };
}

const none: BreakPlan = { breaks: [], dropped: [] };
