// SPDX-License-Identifier: Apache-2.0
// Decides all breaks of a VoD session at once: plans them if the ad server names them, requests ads in parallel, waits for
// creatives until the budget is spent, and fits the pods. Every failure leaves out one break, with the reason in its record.

import type { StitchedAd } from '../../ads/placement/decision.ts';
import { bumperFrames } from '../../ads/pod/fitPod.ts';
import type { AdRequestOutcome, BreakPosition, BreakRecord, ErrorBeacon } from '../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord, type RecordedPlace } from '../../ads/record/buildBreakRecord.ts';
import { isPreview } from '../../ads/request/preview.ts';
import { type Channel, DEFAULT_BREAK_DURATION } from '../../channels/channel.ts';
import { defined, invariant } from '../../invariant.ts';
import { type Flicks, flicks, flicksToSeconds, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import { resumeBreakOf } from '../../vod/applyResume.ts';
import { type BreakPlan, breakIdAt, type PlannedBreak } from '../../vod/breakPlan.ts';
import { breakPositions, contentTimeOf } from '../../vod/contentClock.ts';
import { type Frozen, type FrozenBreak, layOut, type Presentation, streamTimeOf } from '../../vod/layOut.ts';
import { planVmap } from '../../vod/planVmap.ts';
import type { Title } from '../../vod/title.ts';
import { channelBumpers } from '../decide/channelBumpers.ts';
import type { RecordedBreak } from '../decide/decisionRecorder.ts';
import type { AdRequestContext } from '../request/requestAds.ts';
import { joinBreaks, type PresentationBreak, type PresentationOutcome } from '../request/requestPresentation.ts';
import { type FitDeps, type FittedBreak, fitBreaks, type RequestedBreak } from './fitBreaks.ts';
import {
  contextOf,
  logFailure,
  NO_AD_SERVER,
  REQUEST_FAILED,
  type RequestFacts,
  resumedPlan,
} from './requestContext.ts';
import { budgetOf, type DecidePresentation, type VodViewer } from './vodViewer.ts';

export type PresentationDeciderDeps = FitDeps &
  RequestBreaksDeps & {
    readonly callErrorUrls: (errors: readonly ErrorBeacon[], context: AdRequestContext) => void;
    /** Called with the ads that a viewer will be shown, once the presentation is stored. */
    readonly onDecided?: (channel: Channel, ads: readonly StitchedAd[]) => void;
    /** For reports. */
    readonly onRecorded?: (recorded: RecordedBreak) => void;
  };

/** The end of the budget: laying out and storing the presentation. */
const FREEZE_MS = 150;

const frozenBreaks = (fitted: readonly FittedBreak[]): FrozenBreak[] =>
  fitted.flatMap(({ planned: { id, at, until }, shown }) =>
    shown.ads.length === 0 && until === undefined
      ? []
      : [{ id, at, ...(until === undefined ? {} : { until }), ...shown }],
  );

export function createPresentationDecider(deps: PresentationDeciderDeps): DecidePresentation {
  function report(
    channel: Channel,
    viewer: VodViewer,
    fitted: readonly FittedBreak[],
    recorded: ReturnType<typeof recordBreaks>,
  ) {
    const { ladder } = viewer.title;
    fitted.forEach(({ planned, shown, errors, context, conditionCopies }) => {
      const one = recorded.find(({ record }) => record.id === planned.id);
      invariant(one !== undefined, 'each break of a plan has a record');
      const decision = { breakId: planned.id, startsAt: Date.parse(one.record.startsAt), joined: 0, ...shown };
      if (!isPreview(viewer.session))
        deps.onRecorded?.({ airing: { channel, ladder }, place: one.place, decision, record: one.record });
      deps.onDecided?.(channel, shown.ads);
      conditionCopies();
      // With client-side tracking the server calls no URL.
      if (context !== undefined && channel.tracking !== 'client') deps.callErrorUrls(errors, context);
    });
  }

  return async (channel, viewer) => {
    const { session, title } = viewer;
    const vod = session.vod;
    const timeoutMs = budgetOf(channel) - FREEZE_MS;
    const closeAt = millis(deps.now() + timeoutMs);
    const { bumpers, warnings } = channelBumpers({ channel, ladder: title.ladder }, false, deps.library);
    const reserved = flicksToSeconds(framesToFlicks(bumperFrames(bumpers), title.ladder.frameRate));
    const facts = { channel, viewer, reserved, timeoutMs };
    const { plan, requested, document, unshown } = await requestBreaks(facts, deps);
    const fitted = await fitBreaks({ channel, ladder: title.ladder }, requested, { bumpers, warnings }, closeAt, deps);
    const resumeBreak = vod.resumeAt === undefined ? undefined : resumeBreakOf(plan, title, vod.resumeAt);
    const frozen: Frozen = { breaks: frozenBreaks(fitted), ...(resumeBreak === undefined ? {} : { resumeBreak }) };
    const presentation: Presentation = layOut(title, frozen, viewer.clips, session.openedAt);
    const recorded = recordBreaks(title, plan, fitted, presentation, session.openedAt, document);
    return {
      frozen,
      records: recorded.map(({ record }) => record),
      onFrozen() {
        report(channel, viewer, fitted, recorded);
        // With client-side tracking the server calls no URL.
        if (unshown !== undefined && channel.tracking !== 'client') deps.callErrorUrls(unshown.errors, unshown.context);
      },
    };
  };
}

const positionAt = (positions: readonly BreakPosition[], index: number): BreakPosition =>
  defined(positions[index], 'each break of a plan has a position');

// Requests the ads of a presentation: one request for each planned break, all at the same time; or one for the presentation.

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

/** @returns the plan of the session, and the outcome of each request */
export async function requestBreaks(facts: RequestFacts, deps: RequestBreaksDeps): Promise<RequestedPlan> {
  const { plan } = facts.viewer.session.vod;
  if (plan === undefined) return requestVmap(facts, deps);
  return requestPlan(facts, resumedPlan(facts, plan), deps);
}

// The records of a presentation's breaks, for traces, feeds and beacons. Pure: the start of a break follows from the ads of all
// breaks before it.

type RecordedPlanned = { readonly place: RecordedPlace; readonly record: BreakRecord };

/**
 * @param zero the instant of the presentation's start
 * @param document the response that named the breaks
 */
function recordBreaks(
  title: Title,
  plan: BreakPlan,
  fitted: readonly FittedBreak[],
  presentation: Presentation,
  zero: Millis,
  document?: BreakRecordParts,
): RecordedPlanned[] {
  const start: Instant = { millis: zero, rest: flicks(0) };
  const rate = title.ladder.frameRate;
  const startOf = (content: Flicks): Instant => after(start, streamTimeOf(presentation, content));
  const positions = breakPositions(plan.breaks, title.duration);
  const shown = fitted.map(({ planned, parts }, index): RecordedPlanned => {
    const { id, at } = planned;
    const contentTime = contentTimeOf(plan, at);
    const placed = presentation.breaks.find((one) => one.id === id);
    const from = placed === undefined ? startOf(contentTime) : after(start, placed.streamTime);
    const place = { id, start: from, rate, position: positionAt(positions, index) };
    return { place, record: buildBreakRecord(place, parts) };
  });
  const dropped = plan.dropped.map((one): RecordedPlanned => {
    const at = flicks(Math.min(one.requested ?? 0, title.duration));
    const place = { id: one.id, start: startOf(contentTimeOf(plan, at)), rate };
    return { place, record: buildBreakRecord(place, { tried: [], reason: { code: one.code, text: one.text } }) };
  });
  if (document === undefined) return [...shown, ...dropped];
  const place = { id: DOCUMENT_ID, start, rate };
  return [{ place, record: buildBreakRecord(place, document) }, ...shown, ...dropped];
}

// Requests the ads of a whole presentation: one request, whose response names the breaks (VMAP).

type RequestedPlan = {
  readonly plan: BreakPlan;
  readonly requested: readonly RequestedBreak[];
  /** The response that named the breaks, for the trace. */
  readonly document?: BreakRecordParts;
  /** Error URLs of a response without ads. */
  readonly unshown?: { readonly context: AdRequestContext; readonly errors: readonly ErrorBeacon[] };
};

/** The id of the record of a response that names the breaks. */
const DOCUMENT_ID = breakIdAt(0);

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
  const named = planVmap(title, vmaps, facts.channel.breakDuration, session.vod.opportunities);
  const plan = resumedPlan(facts, named.plan);
  const positions = breakPositions(plan.breaks, title.duration);
  const requested = plan.breaks.map((planned, index): RequestedBreak => {
    const outcomes = (named.sources.get(planned.id) ?? []).flatMap((source) => breaks[source]?.outcome ?? []);
    const context = contextOf(facts, planned, positionAt(positions, index));
    return { planned, context, outcome: { request, ...joinBreaks(outcomes) } };
  });
  const count = `${breaks.length} ${breaks.length === 1 ? 'break' : 'breaks'}`;
  const reason = outcome.reason ?? {
    code: 'NAMES_BREAKS',
    text: `This response names ${count}. Their records follow.`,
  };
  return { plan, requested, document: { tried: [], request, warnings, reason, ...(response ? { response } : {}) } };
}

type RequestVmapDeps = {
  readonly requestPresentation: (context: AdRequestContext) => Promise<PresentationOutcome>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** Requests the breaks of the whole presentation. Ads of a response without breaks (VAST) are a pre-roll. */
async function requestVmap(facts: RequestFacts, { requestPresentation, log }: RequestVmapDeps): Promise<RequestedPlan> {
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
