// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a presentation: one request for each planned break, all at the same time; or one request for the whole
// presentation, whose response names the breaks (VMAP).
import type { AdRequestOutcome } from '../../ads/record/adRequestOutcome.ts';
import type { BreakRecordParts } from '../../ads/record/buildBreakRecord.ts';
import type { Channel } from '../../channels/channel.ts';
import { type Flicks, flicksToSeconds } from '../../time/units.ts';
import { applyResume } from '../../vod/applyResume.ts';
import { type BreakPlan, breakIdAt, type PlannedBreak } from '../../vod/breakPlan.ts';
import { contentTimeOf } from '../../vod/contentClock.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import type { RequestedBreak } from './fitBreaks.ts';
import type { VodViewer } from './vodViewer.ts';

export type RequestBreaksDeps = {
  readonly requestAds: (context: AdRequestContext) => Promise<AdRequestOutcome>;
};

export type RequestedPlan = {
  readonly plan: BreakPlan;
  readonly requested: readonly RequestedBreak[];
  /** The response that named the breaks, for the trace. */
  readonly document?: BreakRecordParts;
};

/** The id of the record of a response that names the breaks. */
export const DOCUMENT_ID = breakIdAt(0);

const NO_AD_SERVER = { code: 'NO_AD_SERVER', text: 'The channel has no adSource, so no ads were requested.' };

/** What all requests of a session have in common. */
export type RequestFacts = {
  readonly channel: Channel;
  readonly viewer: VodViewer;
  /** Milliseconds until no response is of use. */
  readonly timeoutMs: number;
  /** Seconds that bumpers take from each break. */
  readonly reserved: number;
};

function contextOf(
  { channel, viewer, timeoutMs, reserved }: RequestFacts,
  plan: BreakPlan,
  planned: PlannedBreak,
): AdRequestContext | undefined {
  const { adSource } = channel;
  if (adSource === undefined) return undefined;
  const { session, title } = viewer;
  const { id, at, duration, maxAds } = planned;
  const contentTime = flicksToSeconds(contentTimeOf(plan, at));
  return {
    source: { ...adSource, timeoutMs: Math.min(adSource.timeoutMs ?? timeoutMs, timeoutMs) },
    session,
    adBreak: {
      id,
      startsAt: session.openedAt,
      duration: Math.max(0, duration - reserved),
      position: positionKind(at, title.duration),
      contentTime,
      ...(maxAds === undefined ? {} : { maxAds }),
    },
  };
}

export const positionKind = (at: Flicks, end: Flicks) => (at === 0 ? 'pre' : at >= end ? 'post' : 'mid');

async function requestPlan(
  facts: RequestFacts,
  plan: BreakPlan,
  { requestAds }: RequestBreaksDeps,
): Promise<RequestedPlan> {
  const requested = plan.breaks.map(async (planned): Promise<RequestedBreak> => {
    const context = contextOf(facts, plan, planned);
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
  const { channel, viewer } = facts;
  const { plan = { breaks: [], dropped: [] }, resumeAt } = viewer.session.vod!;
  const resumed =
    resumeAt === undefined ? plan : applyResume(plan, viewer.title, resumeAt, channel.resumePolicy ?? 'play');
  return requestPlan(facts, resumed, deps);
}
