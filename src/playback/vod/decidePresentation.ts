// SPDX-License-Identifier: Apache-2.0
// Decides all breaks of a VoD session at once: plans them if the ad server names them, requests ads in parallel, waits for
// creatives until the budget is spent, and fits the pods. Every failure leaves out one break, with the reason in its record.

import type { StitchedAd } from '../../ads/placement/decision.ts';
import { type Bumpers, bumperFrames } from '../../ads/pod/fitPod.ts';
import { seenBefore } from '../../ads/pod/recentAds.ts';
import type { BreakRecord, ErrorBeacon } from '../../ads/record/breakRecord.ts';
import { buildBreakRecord, type RecordedPlace } from '../../ads/record/buildBreakRecord.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { Channel } from '../../channels/channel.ts';
import { LONGEST_BREAK_SECONDS } from '../../channels/cuePoints.ts';
import type { ViewerCounts } from '../../demand/viewerCounts.ts';
import { invariant } from '../../invariant.ts';
import { type Flicks, flicks, flicksToSeconds, framesToFlicks, type Millis, millis } from '../../time/units.ts';
import { secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import { resumeBreakOf } from '../../vod/applyResume.ts';
import type { PlannedBreak } from '../../vod/breakPlan.ts';
import { breakPositions, contentTimeOf } from '../../vod/contentClock.ts';
import { type Frozen, type FrozenBreak, layOut, type Presentation, streamTimeOf } from '../../vod/layOut.ts';
import { bidNotices } from '../decide/bidNotices.ts';
import type { TriedCandidate } from '../decide/candidates.ts';
import {
  type AdChannel,
  awaitCreatives,
  type ChosenPod,
  choosePod,
  type PodBreak,
  type PodDeps,
  readyBumpers,
  shownIn,
  shownTraits,
} from '../decide/choosePod.ts';
import { type CountedChoice, countedAfter, type ReadCounts } from '../decide/countedChoice.ts';
import type { RecordedBreak } from '../decide/decisionRecorder.ts';
import { createFreeAfter } from '../decide/freeAfter.ts';
import { type DemandOf, limitDemand, namingSource } from '../request/demand.ts';
import type { BreakRequest } from '../request/requestSteps.ts';
import {
  DOCUMENT_ID,
  positionAt,
  type RequestBreaksDeps,
  type RequestedBreak,
  type RequestedPlan,
  requestBreaks,
} from './requestBreaks.ts';
import { budgetOf, type DecidePresentation, type VodViewer } from './vodViewer.ts';

type PresentationDeciderDeps = PodDeps &
  RequestBreaksDeps & {
    readonly demandOf: DemandOf;
    readonly chooseCounted: CountedChoice;
    readonly readCounts: ReadCounts;
    readonly callNotices: (urls: readonly string[], tenant: string) => void;
    readonly callErrorUrls: (
      errors: readonly ErrorBeacon[],
      request: Pick<BreakRequest, 'session' | 'adBreak'>,
    ) => void;
    /** Called with the ads that a viewer will be shown, once the presentation is stored. */
    readonly onDecided?: (channel: Channel, ads: readonly StitchedAd[]) => void;
    /** For reports. */
    readonly onRecorded?: (recorded: RecordedBreak) => void;
  };

type FittedBreak = Pick<RequestedBreak, 'planned' | 'context'> &
  Pick<ChosenPod, 'parts' | 'errors' | 'conditionCopies'> & { readonly shown: ReturnType<typeof shownIn> };

const without = ({ planned, context, reason }: RequestedBreak): FittedBreak => ({
  planned,
  context,
  parts: { tried: [], warnings: planned.warnings, ...(reason ? { reason } : {}) },
  errors: [],
  shown: { ads: [] },
  conditionCopies: () => {},
});

/** A break that VMAP names is as long as the ads of its source; other sources fill it up to its length. */
function openBreak(
  { planned, context }: RequestedBreak,
  tried: readonly TriedCandidate[],
  ladder: Ladder,
): PodBreak | undefined {
  const source = namingSource(context?.demand)?.id;
  if (planned.isOpen !== true || source === undefined) return undefined;
  const named = tried.flatMap((one) => {
    const { creative } = one.candidate();
    return one.offer?.source === source && creative.state === 'ready' ? [creative.media.frames] : [];
  });
  const own = insertedBreak({ ...planned, isOpen: false }, ladder);
  const frames = named.reduce((total, one) => total + one, 0);
  return { ...own, breakFrames: Math.max(own.breakFrames, frames) };
}

type FitFacts = {
  readonly bumpers: Bumpers;
  readonly warnings: readonly string[];
  readonly session: VodViewer['session'];
};

/** A VMAP break has no length of its own: `isOpen`. */
const insertedBreak = (
  { isOpen, duration, maxAds }: Pick<PlannedBreak, 'duration' | 'maxAds' | 'isOpen'>,
  { frameRate }: Ladder,
): PodBreak => ({
  breakFrames: secondsToFrames(isOpen ? LONGEST_BREAK_SECONDS : duration, frameRate),
  isInserted: true,
  ...(maxAds === undefined ? {} : { maxAds }),
});

/**
 * Fits the ads. All creatives are awaited together; then the breaks are fitted in playing order, so that later ones prefer ads
 * that are not in earlier ones.
 */
async function fitBreaks(
  channel: AdChannel,
  requested: readonly RequestedBreak[],
  { bumpers, warnings, session }: FitFacts,
  closeAt: Millis,
  deps: PodDeps & Pick<PresentationDeciderDeps, 'chooseCounted'>,
): Promise<readonly FittedBreak[]> {
  const tried = await Promise.all(
    requested.map(({ outcome }) => (outcome === undefined ? [] : awaitCreatives(channel, { outcome, closeAt }, deps))),
  );
  return deps.chooseCounted(channel.channel, session, deps.now(), (viewerCounts) => {
    const result = fitAll(viewerCounts);
    return { result, traits: result.flatMap(({ parts }) => shownTraits(parts)) };
  });

  function fitAll(counts: ViewerCounts | undefined): readonly FittedBreak[] {
    const before: { startsAt: number; ads: FittedBreak['shown']['ads'] }[] = [];
    let viewerCounts = counts;
    return requested.map((one, index): FittedBreak => {
      const fitted = fitBreak(one, index, seenBefore(before, index), viewerCounts);
      if (fitted.shown.ads.length > 0) before.push({ startsAt: index, ads: fitted.shown.ads });
      viewerCounts = viewerCounts && countedAfter(viewerCounts, channel.channel, shownTraits(fitted.parts));
      return fitted;
    });
  }

  function fitBreak(
    one: RequestedBreak,
    index: number,
    seen: string,
    viewerCounts: ViewerCounts | undefined,
  ): FittedBreak {
    const { planned, outcome, context } = one;
    if (outcome === undefined) return without(one);
    const adBreak = openBreak(one, tried[index] ?? [], channel.ladder) ?? insertedBreak(planned, channel.ladder);
    const chosen = choosePod(channel, adBreak, { outcome, bumpers, seen, viewerCounts }, tried[index] ?? []);
    const shown = shownIn(planned.id, chosen.parts);
    const parts = { ...chosen.parts, warnings: [...planned.warnings, ...warnings, ...outcome.warnings] };
    return { planned, context, shown, parts, errors: chosen.errors, conditionCopies: chosen.conditionCopies };
  }
}

type RecordedPlanned = { readonly place: RecordedPlace; readonly record: BreakRecord };

/**
 * The records of a presentation's breaks, for traces, feeds and beacons. The start of a break follows from the ads of all
 * breaks before it.
 */
function recordBreaks(
  { title, session }: VodViewer,
  { plan, document }: RequestedPlan,
  fitted: readonly FittedBreak[],
  presentation: Presentation,
): RecordedPlanned[] {
  const start: Instant = { millis: session.openedAt, rest: flicks(0) };
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
      if (!isPreview(viewer.session)) {
        deps.onRecorded?.({ airing: { channel, ladder }, place: one.place, decision, record: one.record });
        deps.callNotices(bidNotices(one.record), channel.tenant);
      }
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
    const { bumpers, warnings } = readyBumpers({ channel, ladder: title.ladder }, false, deps.library);
    const reserved = flicksToSeconds(framesToFlicks(bumperFrames(bumpers), title.ladder.frameRate));
    const demand = await deps.demandOf(channel);
    const own = { channel, ladder: title.ladder };
    const facts = {
      channel,
      viewer,
      reserved,
      demand: demand && limitDemand(demand, timeoutMs),
      freeAfter: (planned: Pick<PlannedBreak, 'duration' | 'maxAds'>) =>
        createFreeAfter(own, insertedBreak({ ...planned, isOpen: false }, title.ladder), bumpers, deps, () =>
          deps.readCounts(channel, session, deps.now()),
        ),
    };
    const asked = await requestBreaks(facts, deps);
    const { plan, requested, unshown } = asked;
    const fitted = await fitBreaks(own, requested, { bumpers, warnings, session }, closeAt, deps);
    const resumeBreak = vod.resumeAt === undefined ? undefined : resumeBreakOf(plan, title, vod.resumeAt);
    const frozen: Frozen = { breaks: frozenBreaks(fitted), ...(resumeBreak === undefined ? {} : { resumeBreak }) };
    const presentation: Presentation = layOut(title, frozen, viewer.clips, session.openedAt);
    const recorded = recordBreaks(viewer, asked, fitted, presentation);
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
