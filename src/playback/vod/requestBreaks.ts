// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a VoD session: one request for each planned break, all at the same time; or one for the whole
// presentation, whose response names the breaks (VMAP).
import type { AdRequestOutcome, BreakPosition, ErrorBeacon, ServerOutcome } from '../../ads/record/breakRecord.ts';
import type { BreakRecordParts } from '../../ads/record/buildBreakRecord.ts';
import { DEFAULT_BREAK_DURATION, type VodChannel } from '../../channels/channel.ts';
import { contentId } from '../../channels/contentId.ts';
import { defined, withoutUndefined } from '../../invariant.ts';
import { flicks, type Millis, millis } from '../../time/units.ts';
import { applyResume } from '../../vod/applyResume.ts';
import { type BreakPlan, breakIdAt, type PlannedBreak } from '../../vod/breakPlan.ts';
import { breakPositions } from '../../vod/contentClock.ts';
import { planVmap } from '../../vod/planVmap.ts';
import { largestPicture } from '../decide/aboutBreak.ts';
import { type Demand, namesBreaks, namingSource } from '../request/demand.ts';
import { NO_AD_SERVER } from '../request/requestAds.ts';
import type { RequestPresentation } from '../request/requestBreak.ts';
import { joinBreaks, type PresentationBreak, type PresentationOutcome } from '../request/requestPresentation.ts';
import type { BreakRequest, FreeAfter } from '../request/requestSteps.ts';
import type { VodViewer } from './vodViewer.ts';

/** A break whose ads were requested; `context` is absent if the channel has no ad source. */
export type RequestedBreak = {
  readonly planned: PlannedBreak;
  readonly outcome: AdRequestOutcome | undefined;
  readonly context: BreakRequest | undefined;
  /** Why no ads were requested. */
  readonly reason?: BreakRecordParts['reason'];
};

/** What all requests of a session have in common. */
export type RequestFacts = {
  readonly channel: VodChannel;
  readonly viewer: VodViewer;
  /** Absent if the channel has no ad source. No request outlasts the budget of the session. */
  readonly demand: Demand | undefined;
  readonly freeAfter: (planned: Pick<PlannedBreak, 'duration' | 'maxAds'>) => FreeAfter;
  /** Seconds that bumpers take from each break. */
  readonly reserved: number;
};

/** @returns undefined if the channel has no ad source */
function contextOf(
  { demand, channel, viewer, reserved, freeAfter }: RequestFacts,
  planned: Pick<PlannedBreak, 'id' | 'duration' | 'maxAds'>,
  { kind, contentTime }: Pick<BreakPosition, 'kind' | 'contentTime'>,
): BreakRequest | undefined {
  if (demand === undefined) return undefined;
  const { session } = viewer;
  const { id, duration, maxAds } = planned;
  return {
    demand,
    session,
    freeAfter: freeAfter(planned),
    about: { ...largestPicture(viewer.title.ladder), content: { id: contentId(channel.id) } },
    adBreak: {
      id,
      startsAt: session.openedAt,
      duration: Math.max(0, duration - reserved),
      position: kind,
      contentTime,
      ...(maxAds === undefined ? {} : { maxAds }),
    },
  };
}

function resumedPlan({ channel, viewer: { session, title } }: RequestFacts, plan: BreakPlan): BreakPlan {
  const resumeAt = session.vod.resumeAt;
  return resumeAt === undefined ? plan : applyResume(plan, title, resumeAt, channel.resumePolicy ?? 'play');
}

/** Why there are no ads after a request that failed with an exception. Operators find the error in the log. */
const REQUEST_FAILED = {
  code: 'DECISION_FAILED',
  text: 'Requesting its ads failed because of an internal error; the log contains it.',
};

const logFailure = (
  { viewer: { session } }: RequestFacts,
  breakId: string,
  error: unknown,
  log: (message: string, facts: Record<string, unknown>) => void,
): void => log('failed to request the ads of a VoD session', { sessionId: session.id, breakId, error });

/** When the last retry of an ad request may start, so that it has at least half of the time that the request had. */
export const lastRetryAt = (timeoutMs: number, now: Millis): Millis => millis(now + Math.floor(timeoutMs / 2));

export const positionAt = (positions: readonly BreakPosition[], index: number): BreakPosition =>
  defined(positions[index], 'each break of a plan has a position');

export type RequestBreaksDeps = {
  readonly requestPresentation: RequestPresentation;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  readonly requestAds: (request: BreakRequest) => Promise<AdRequestOutcome>;
};

async function requestPlan(
  facts: RequestFacts,
  plan: BreakPlan,
  { requestAds, log }: RequestBreaksDeps,
): Promise<RequestedPlan> {
  const positions = breakPositions(plan.breaks, facts.viewer.title.duration);
  const requested = plan.breaks.map(async (planned, index): Promise<RequestedBreak> => {
    const context = contextOf(facts, planned, positionAt(positions, index));
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

export async function requestBreaks(facts: RequestFacts, deps: RequestBreaksDeps): Promise<RequestedPlan> {
  const { plan } = facts.viewer.session.vod;
  if (plan === undefined) return requestVmap(facts, deps);
  return requestPlan(facts, resumedPlan(facts, plan), deps);
}

export type RequestedPlan = {
  readonly plan: BreakPlan;
  readonly requested: readonly RequestedBreak[];
  /** The response that named the breaks, for the trace. */
  readonly document?: BreakRecordParts;
  /** Error URLs of a response without ads. */
  readonly unshown?: {
    readonly context: Pick<BreakRequest, 'session' | 'adBreak'>;
    readonly errors: readonly ErrorBeacon[];
  };
};

/** The id of the record of a response that names the breaks. */
export const DOCUMENT_ID = breakIdAt(0);

function preRoll(duration: number): PlannedBreak {
  const warnings = ['The ad server returned VAST, not VMAP, so its ads are shown as a pre-roll.'];
  const at = flicks(0);
  return { id: breakIdAt(1), origin: 'vmap', at, requested: at, duration, isOpen: true, warnings };
}

/** A planned break, and what the response that names it offers for it. */
type NamedBreak = { readonly planned: PlannedBreak; readonly outcome: ServerOutcome };

/** If the channel has steps, the sources other than the one that named the breaks are requested for what it leaves free. */
async function completed(
  facts: RequestFacts,
  named: readonly NamedBreak[],
  { requestAds, log }: RequestBreaksDeps,
  hooks: PresentationOutcome['hooks'],
): Promise<readonly RequestedBreak[]> {
  const positions = breakPositions(
    named.map(({ planned }) => planned),
    facts.viewer.title.duration,
  );
  const source = namingSource(facts.demand)?.id;
  const hooked = withoutUndefined({ hooks });
  return Promise.all(
    named.map(async ({ planned, outcome }, index): Promise<RequestedBreak> => {
      const context = contextOf(facts, planned, positionAt(positions, index));
      if (context === undefined || source === undefined) return { planned, context, outcome };
      try {
        return { planned, context, outcome: await requestAds({ ...context, given: { source, outcome, ...hooked } }) };
      } catch (error) {
        logFailure(facts, planned.id, error, log);
        return { planned, context, outcome };
      }
    }),
  );
}

/** The breaks that the response names. Some may have no place in the content; their ads are not shown. */
async function namedPlan(
  facts: RequestFacts,
  outcome: PresentationOutcome,
  breaks: readonly PresentationBreak[],
  deps: RequestBreaksDeps,
): Promise<RequestedPlan> {
  const { title, session } = facts.viewer;
  const { request, response, warnings, hooks } = outcome;
  const vmaps = breaks.map(({ vmap }) => vmap);
  const named = planVmap(title, vmaps, facts.channel.breakDuration, session.vod.opportunities);
  const plan = resumedPlan(facts, named.plan);
  const offered = plan.breaks.map((planned): NamedBreak => {
    const outcomes = (named.sources.get(planned.id) ?? []).flatMap((source) => breaks[source]?.outcome ?? []);
    return { planned, outcome: { request, ...joinBreaks(outcomes) } };
  });
  const requested = await completed(facts, offered, deps, hooks);
  const count = `${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}`;
  const reason = outcome.reason ?? {
    code: 'NAMES_BREAKS',
    text: `This response names ${count}. Their records follow.`,
  };
  return { plan, requested, document: { tried: [], request, warnings, reason, ...(response ? { response } : {}) } };
}

/** Requests the breaks of the whole presentation. Ads of a response without breaks (VAST) are a pre-roll. */
async function requestVmap(facts: RequestFacts, deps: RequestBreaksDeps): Promise<RequestedPlan> {
  const { requestPresentation, log } = deps;
  const duration = facts.channel.breakDuration ?? DEFAULT_BREAK_DURATION;
  const context = contextOf(facts, { id: DOCUMENT_ID, duration }, { kind: 'pre', contentTime: 0 });
  if (context === undefined || !namesBreaks(context.demand))
    return { plan: none, requested: [], document: { tried: [], reason: NO_AD_SERVER } };
  const received = await requestPresentation(context).catch((error: unknown) => {
    logFailure(facts, DOCUMENT_ID, error, log);
    return undefined;
  });
  if (received === undefined) return { plan: none, requested: [], document: { tried: [], reason: REQUEST_FAILED } };
  if (received.breaks !== undefined) return namedPlan(facts, received, received.breaks, deps);
  const { hooks, ...outcome } = received;
  if (outcome.ads.length === 0) {
    const unshown = { context, errors: outcome.errors };
    return { plan: none, requested: [], document: { ...outcome, tried: [] }, unshown };
  }
  const plan = resumedPlan(facts, { breaks: [preRoll(duration)], dropped: [] });
  const offered = plan.breaks.map((planned) => ({ planned, outcome }));
  return { plan, requested: await completed(facts, offered, deps, hooks) };
}

const none: BreakPlan = { breaks: [], dropped: [] };
