// SPDX-License-Identifier: Apache-2.0
// The pod of a viewer's break: the creatives of the requested ads are looked up, awaited until the decision is due, and fitted to
// the break. Breaks that are decided together wait together and are fitted one after the other, so that later ones prefer ads
// that are not in earlier ones.

import type { CreativeLookup, CreativeOwner } from '../../ads/creative/creative.ts';
import { adIdOf, type Decision, type StitchedAd } from '../../ads/placement/decision.ts';
import { isNeedless } from '../../ads/pod/adOutcome.ts';
import { bumperProblem, bumpersOf } from '../../ads/pod/bumpers.ts';
import {
  type Bumpers,
  bumperFrames,
  type FramedPod,
  fitFramedPod,
  type PodCandidate,
  type PodRequest,
} from '../../ads/pod/fitPod.ts';
import type { PodChoice } from '../../ads/pod/podChoice.ts';
import { seenBefore, seenSince } from '../../ads/pod/recentAds.ts';
import type {
  AdRequestOutcome,
  BreakLimits,
  BreakOutcome,
  ErrorBeacon,
  ResolvedAd,
} from '../../ads/record/breakRecord.ts';
import { type BreakRecordParts, buildBreakRecord, seconds, type TriedAd } from '../../ads/record/buildBreakRecord.ts';
import type { AdTraits } from '../../ads/record/offer.ts';
import { traitsOfVast } from '../../ads/record/traits.ts';
import type { Channel } from '../../channels/channel.ts';
import { createPodChoice } from '../../demand/createPodChoice.ts';
import { isBlocked } from '../../demand/judgeAd.ts';
import type { ViewerCounts } from '../../demand/viewerCounts.ts';
import { defined, withoutUndefined } from '../../invariant.ts';
import type { StoredDecision } from '../../sessions/ports.ts';
import { type Clock, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import { minSlateFrames, secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import { type EntryBumpers, placeOf } from '../../timeline/programme/span.ts';
import { type Airing, placeDecision } from '../onAir/airing.ts';
import { errorBeaconsOf } from '../request/errorUrls.ts';
import type { OwnBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { candidateFor, type TriedCandidate } from './candidates.ts';

/** A channel of either kind, as decisions about its ads need it. */
export type AdChannel = Pick<Airing, 'channel' | 'ladder'>;

type ReadyBumpers = { readonly bumpers: Bumpers; readonly warnings: readonly string[] };

/**
 * The bumpers of a break. The planner prepares them before the break; if they are lost, they are prepared again for later breaks.
 * @param hasBegun the viewer joined during the break, so the intro is omitted
 * @param own of the break, if its entry has its own
 * @returns the bumpers that are ready, and a warning for each that is not
 */
export function readyBumpers(
  { channel, ladder }: AdChannel,
  hasBegun: boolean,
  library: Pick<CreativeLookup, 'prepare'>,
  own?: EntryBumpers,
): ReadyBumpers {
  const bumpers: { -readonly [Place in keyof Bumpers]: Bumpers[Place] } = {};
  const warnings: string[] = [];
  const owner = { tenant: channel.tenant, channelId: channel.id };
  for (const { place, url, name } of bumpersOf(channel, own)) {
    if (hasBegun && place === 'intro') continue;
    const creative = library.prepare(url, { url, mimeType: '' }, ladder, owner);
    const problem = bumperProblem(creative, ladder);
    if (creative.state === 'ready' && problem === undefined) {
      bumpers[place] = { mediaId: creative.media.id, frames: creative.media.frames };
    } else warnings.push(`${name} is not shown: ${problem}.`);
  }
  return { bumpers, warnings };
}

export type PodDeps = Clock & { readonly library: CreativeLookup };

/** The part of a break that ads and bumpers may fill. `breakFrames` as in `PodRequest`. */
export type PodBreak = Pick<PodRequest, 'breakFrames' | 'isInserted' | 'maxAds'>;

type CreativesInput = {
  readonly outcome: BreakOutcome;
  /** When the decision is due. Creatives that are not ready by then are skipped. */
  readonly closeAt: Millis;
  /** Called if creatives are not ready at once. */
  readonly onWait?: () => Promise<void>;
};

type FitInput = {
  readonly bumpers: Bumpers;
  /** What the viewer saw in earlier breaks (ads/pod/recentAds.ts). */
  readonly seen: string;
  /** What frequency caps count; without it, they count the ads of the break only. */
  readonly viewerCounts?: ViewerCounts | undefined;
};

type PodInput = FitInput & {
  /** `request` and `response` are for the trace. */
  readonly outcome: BreakOutcome & Partial<AdRequestOutcome>;
};

export type ChosenPod = {
  readonly parts: BreakRecordParts;
  /** Error URLs of the ads that could not be shown. */
  readonly errors: readonly ErrorBeacon[];
  /** Conditions creatives that could not be cut, for later breaks. */
  readonly conditionCopies: () => void;
};

/** Seconds. A shorter rest of a break is not filled; `fillThreshold` of the channel overrides it. */
const DEFAULT_FILL_THRESHOLD = 1;
/** Time to look up creatives that are ready. */
export const LOOKUP_MS = 100;

/** A fallback is not waited for once an earlier alternative is ready. */
function settledIfNeeded(one: TriedCandidate, tried: readonly TriedCandidate[]): Promise<unknown> {
  const { fallback } = one.candidate();
  const earlier = fallback ? tried.filter((other) => isNeedless({ fallback }, [other.candidate()])) : [];
  const isReady = earlier.map(async ({ settled, candidate }) => {
    await settled;
    if (candidate().creative.state !== 'ready') throw new Error('The earlier alternative is not ready.');
  });
  return Promise.any([one.settled, ...isReady]);
}

const nothingPrepared: CreativeLookup = {
  prepare: () => ({ state: 'preparing' }),
  settled: async () => ({ state: 'preparing' }),
};

/** What is tried for each ad. The creatives of ads that the rules block are neither requested nor waited for. */
export function candidatesOf(
  { channel, ladder }: AdChannel,
  { ads, variables }: Pick<BreakOutcome, 'ads' | 'variables'>,
  library: CreativeLookup,
): readonly TriedCandidate[] {
  const owner: CreativeOwner = { tenant: channel.tenant, channelId: channel.id };
  const { adRules } = channel;
  const libraryFor = (one: ResolvedAd) =>
    adRules !== undefined && isBlocked(traitsOf(one), adRules) ? nothingPrepared : library;
  return ads.map((one) => candidateFor(one, ladder, libraryFor(one), variables, owner));
}

/** Looks up the creatives of the requested ads, and waits for those that are not ready. */
export async function awaitCreatives(
  adChannel: AdChannel,
  { outcome, closeAt, onWait }: CreativesInput,
  { library, now, timers }: PodDeps,
): Promise<readonly TriedCandidate[]> {
  const tried = candidatesOf(adChannel, outcome, library);
  const settled = Promise.allSettled(tried.map((one) => settledIfNeeded(one, tried))).then(() => true);
  if (!(await within(timers, Math.min(LOOKUP_MS, closeAt - now()), settled))) {
    await onWait?.();
    await within(timers, closeAt - now(), settled);
  }
  return tried;
}

const limitsOf = ({ breakFrames, maxAds }: PodBreak, { frameRate }: AdChannel['ladder']): BreakLimits => ({
  duration: seconds(breakFrames, frameRate),
  ...(maxAds === undefined ? {} : { maxAds }),
});

/** What rules judge an ad by: what its source states, or else its VAST. */
const traitsOf = ({ ad, offer }: Pick<ResolvedAd, 'ad' | 'offer'>): AdTraits => offer?.traits ?? traitsOfVast(ad);

/** What the viewer is shown, to be counted for frequency caps (demand/viewerCounts.ts). */
export const shownTraits = ({ tried, pod }: BreakRecordParts): AdTraits[] =>
  (pod?.ads ?? []).flatMap(({ candidate }) => tried[candidate] ?? []).map(traitsOf);

/** Undefined if ads have only an order: no rules, and one ad server. */
function choiceOf(
  { adRules }: Channel,
  tried: readonly TriedAd[],
  viewerCounts: ViewerCounts = { at: millis(0), shown: '' },
): PodChoice | undefined {
  if (adRules === undefined && tried.every(({ offer }) => offer === undefined)) return undefined;
  const offered = tried.map((one) => {
    const name = one.title ? `"${one.title}"` : one.ad.id ? `ad ${one.ad.id}` : 'an ad without a title';
    return {
      name,
      traits: traitsOf(one),
      ...withoutUndefined({ price: one.offer?.price, slot: one.offer?.bid?.slot }),
    };
  });
  return createPodChoice(offered, adRules ?? {}, viewerCounts);
}

type FittedPod = { readonly pod: FramedPod; readonly candidates: readonly PodCandidate[] };

function fitTried(
  { channel, ladder }: AdChannel,
  adBreak: PodBreak,
  { bumpers, seen, viewerCounts }: FitInput,
  tried: readonly TriedCandidate[],
): FittedPod {
  const candidates = tried.map(({ candidate }) => candidate());
  const order: PodRequest = {
    ...adBreak,
    rate: ladder.frameRate,
    candidates,
    seenSince: (mediaId) => seenSince(seen, mediaId),
    minFill: minFillOf({ channel, ladder }),
    ...(channel.repeats === undefined ? {} : { repeats: channel.repeats }),
    choice: choiceOf(channel, tried, viewerCounts),
  };
  return { pod: fitFramedPod(order, bumpers), candidates };
}

const minFillOf = ({ channel, ladder }: AdChannel): number =>
  secondsToFrames(channel.fillThreshold ?? DEFAULT_FILL_THRESHOLD, ladder.frameRate);

/**
 * What the ads of earlier steps leave of a break, if it were decided with the creatives that are ready now. A rest that no ad may
 * fill is 0 seconds.
 */
export function freeAfter(
  adChannel: AdChannel,
  adBreak: PodBreak,
  input: FitInput,
  tried: readonly TriedCandidate[],
): BreakLimits {
  const rate = adChannel.ladder.frameRate;
  const { ads } = fitTried(adChannel, adBreak, input, tried).pod;
  // Without an ad, a pod has no bumpers; the ads of a later step will have them.
  const around = bumperFrames(input.bumpers);
  const forAds = adBreak.breakFrames - (adBreak.breakFrames - around < minSlateFrames(rate) ? 0 : around);
  const left = ads.reduce((sum, { frames }) => sum - frames, forAds);
  const least = Math.max(minSlateFrames(rate), ads.length > 0 && !adBreak.isInserted ? minFillOf(adChannel) : 0);
  const maxAds = adBreak.maxAds === undefined ? {} : { maxAds: adBreak.maxAds - ads.length };
  return { duration: left < least ? 0 : seconds(left, rate), ...maxAds };
}

/** @param tried the creatives of the outcome's ads, in their current state */
export function choosePod(
  adChannel: AdChannel,
  adBreak: PodBreak,
  { outcome, ...input }: PodInput,
  tried: readonly TriedCandidate[],
): ChosenPod {
  const { pod, candidates } = fitTried(adChannel, adBreak, input, tried);
  const withMedia = tried.map((one, index) => {
    const creative = candidates[index]?.creative;
    return creative?.state === 'ready' ? { ...one, media: creative.media } : one;
  });
  const shown = pod.ads.flatMap(({ candidate }) => candidates[candidate] ?? []);
  const triedAt = (index: number) => defined(tried[index], 'a pod has an outcome for each ad that was tried');
  const skippedErrors = pod.outcomes.flatMap((result, index) =>
    result.outcome === 'skipped' ? errorBeaconsOf(triedAt(index).ad, result) : [],
  );
  return {
    parts: { ...outcome, tried: withMedia, pod, limits: limitsOf(adBreak, adChannel.ladder) },
    errors: [...outcome.errors.filter((error) => !isNeedless(error, shown)), ...skippedErrors],
    conditionCopies: () =>
      pod.outcomes.forEach((result, index) => {
        if (result.outcome === 'skipped' && result.code === 'FIXED_LENGTH') triedAt(index).conditionCopy();
      }),
  };
}

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

/** The decision, as it is stored, and its record. @param parts without `pod`, the whole break is slate */
export function composeDecision(airing: Airing, viewer: Viewer, own: OwnBreak, parts: BreakRecordParts) {
  const { span, joined } = own;
  const { id, frames, live } = span.break;
  const decision: Decision = { breakId: id, startsAt: placeOf(span).startsAt, joined, ...shownIn(id, parts, joined) };
  const before = seenBefore(viewer.state.decisions, decision.startsAt);
  const stored: StoredDecision = {
    shift: placeDecision(airing, span, decision).shift,
    ...decision,
    ...(before === '' ? {} : { before }),
  };
  const place = { id, start: span.placed.start, rate: airing.ladder.frameRate, frames, joined };
  const showsContent = live?.fill === 'content';
  return { decision, stored, record: buildBreakRecord({ ...place, showsContent }, parts) };
}
