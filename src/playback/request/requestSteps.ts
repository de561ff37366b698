// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a break from the sources of a channel, step by step, within one time budget. The sources of a step are
// requested at once; the next step is requested for what is left. Every failure is part of the outcome (docs/decisions/058-demand.md).

import { shownCreative } from '../../ads/pod/chooseMediaFiles.ts';
import type {
  AskedServer,
  BreakLimits,
  BreakOutcome,
  NoAdsReason,
  Reason,
  ResolvedAd,
  ServerOutcome,
  StepsOutcome,
} from '../../ads/record/breakRecord.ts';
import type { AdRequestBreak, AdRequestSession } from '../../ads/request/requestVariables.ts';
import type { AdRules, AdSourceRecord, HouseSource, OpenRtbSource, VastSource } from '../../channels/demand.ts';
import { HOOK_TIMEOUT_MS } from '../../demand/hooks/hookAnswer.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { BidChannel } from '../../openrtb/buildBidRequest.ts';
import type { Clock } from '../../time/clock.ts';
import { flicksToSeconds } from '../../time/units.ts';
import type { Demand, StepSource, StepsDemand } from './demand.ts';
import { joinSources, type SourceResult } from './joinSources.ts';
import { DEFAULT_TIMEOUT_MS } from './requestAds.ts';

/** What the ads so far leave of the break. */
export type FreeAfter = (ads: readonly ResolvedAd[], variables: BreakOutcome['variables']) => Promise<BreakLimits>;

export type StepsRequest = {
  readonly session: AdRequestSession;
  readonly adBreak: AdRequestBreak;
  /** What bid requests state about the programme and the picture. */
  readonly about?: Pick<BidChannel, 'content' | 'size' | 'isExact'>;
  /** Milliseconds for which requests may wait for their turn, before the time budget begins. */
  readonly patienceMs?: number;
  /** Default: by the lengths that the ads declare. */
  readonly freeAfter?: FreeAfter;
  /** The outcome of a source that was requested already, for the breaks that a response names. */
  readonly given?: Hooked<ServerOutcome> & { readonly source: string };
};

/** A request for the ads of a break of a channel. */
export type BreakRequest = StepsRequest & { readonly demand: Demand };

/** A request to one source. */
export type SourceRequest<Source> = {
  readonly source: Source & Pick<AdSourceRecord, 'id' | 'tenant'>;
  readonly step: number;
  readonly session: AdRequestSession;
  /** With the seconds and ads that are requested. */
  readonly adBreak: AdRequestBreak;
  readonly timeoutMs: number;
  readonly rules: AdRules | undefined;
  /** The ads of earlier steps. */
  readonly before: readonly ResolvedAd[];
  readonly about: StepsRequest['about'];
  /** Called if the source accepts no requests for so many milliseconds. */
  readonly onRest?: (ms: number) => void;
};

/** `waitedMs`: for the rate of the source. `over`: it would have waited too long. */
export type RateTurn =
  | { readonly kind: 'go'; readonly waitedMs: number }
  | { readonly kind: 'over'; readonly reason: NoAdsReason };

/** An outcome, and what the hook before its request did. */
export type Hooked<Outcome> = { readonly outcome: Outcome; readonly hooks?: AskedServer['hooks'] };

export type StepsDeps = Clock & {
  readonly requestVast: (request: SourceRequest<VastSource>, demand: StepsDemand) => Promise<Hooked<ServerOutcome>>;
  readonly requestBids: (request: SourceRequest<OpenRtbSource>, demand: StepsDemand) => Promise<Hooked<ServerOutcome>>;
  readonly houseAds: (
    source: HouseSource,
    request: Omit<SourceRequest<unknown>, 'source'> & { id: string },
  ) => readonly ResolvedAd[];
  /** Waits for the turn of a request at the rate of its source. */
  readonly takeTurn: (source: AdSourceRecord, mostMs: number) => Promise<RateTurn>;
  /** The hook after all responses. */
  readonly afterAnswers: (
    request: StepsRequest,
    demand: StepsDemand,
    joined: StepsOutcome,
    timeLeft: number,
  ) => Promise<StepsOutcome>;
};

/** A shorter time is not worth a request. */
const MIN_REQUEST_MS = 50;
/** A shorter rest of a break is not requested. Seconds. */
const MIN_SECONDS = 1;

const isRequested = ({ record }: StepSource): boolean => record !== undefined && record.type !== 'house';

const declaredSeconds = ({ ad }: ResolvedAd): number => {
  const length = shownCreative(ad)?.linear?.duration;
  return length === undefined ? 0 : flicksToSeconds(length);
};

/** By declared lengths: alternatives count once. */
export const declaredFree =
  ({ duration, maxAds }: AdRequestBreak): FreeAfter =>
  async (ads) => {
    let [left, places] = [duration, maxAds ?? Number.POSITIVE_INFINITY];
    const groups = new Set<string>();
    for (const one of ads) {
      const group = one.fallback?.[0]?.group;
      const seconds = declaredSeconds(one);
      if (seconds > left || places === 0 || (group !== undefined && groups.has(group))) continue;
      if (group !== undefined) groups.add(group);
      left -= seconds;
      places -= 1;
    }
    return { duration: left, ...(maxAds === undefined ? {} : { maxAds: places }) };
  };

const reason = (code: string, text: string): Reason => ({ code, text });

const NOTHING_LEFT = reason('BREAK_FULL', 'It was not requested, because earlier steps fill the break.');
const NO_TIME = reason('NO_TIME_LEFT', 'It was not requested, because the time budget was spent.');
const MISSING = reason(
  'SOURCE_MISSING',
  'The ad source does not exist any more. Remove it from the steps of the channel.',
);

export async function requestSteps(request: StepsRequest, demand: StepsDemand, deps: StepsDeps): Promise<StepsOutcome> {
  const { adBreak, session, given } = request;
  const { timers } = deps;
  const hookMs = demand.hooks?.adsUrl === undefined ? 0 : (demand.hooks.timeoutMs ?? HOOK_TIMEOUT_MS);
  const freeAfter = request.freeAfter ?? declaredFree(adBreak);
  const startedAt = timers.elapsed();
  /** Waiting for a turn moves the end of the budget, as long as there is patience. */
  let deadline = startedAt + demand.budgetMs;
  const patience = () => (request.patienceMs ?? 0) - (deadline - startedAt - demand.budgetMs);
  const results: SourceResult[] = [];

  /** A cap or a hook may yet refuse ads that seem to fill the break. House lists need no request, so they are offered all the same. */
  const mayRefuse = (demand.rules?.frequencyCaps ?? []).length > 0 || demand.hooks?.adsUrl !== undefined;
  const isSpare = ({ type }: AdSourceRecord): boolean => type === 'house' && mayRefuse;

  /** The milliseconds that the step at `index` may use. */
  function shareOf(index: number): number {
    const left = deadline - hookMs - timers.elapsed();
    const { timeShare } = demand.steps[index] ?? {};
    if (timeShare !== undefined) return Math.min(left, (demand.budgetMs * timeShare) / 100);
    const later = demand.steps.slice(index).filter(({ sources }) => sources.some(isRequested)).length;
    return left / Math.max(1, later);
  }

  async function requestSource(
    { id, record }: StepSource,
    step: number,
    limits: BreakLimits,
    before: readonly ResolvedAd[],
  ): Promise<SourceResult> {
    const about = { step, source: id, ...withoutUndefined({ name: record?.name }) };
    const none = (why: Reason): SourceResult => ({
      asked: { ...about, type: record?.type ?? 'vast', offered: 0, reason: why },
      outcome: undefined,
    });
    if (record === undefined) return none(MISSING);
    if (!isSpare(record) && (limits.duration < MIN_SECONDS || limits.maxAds === 0)) return none(NOTHING_LEFT);
    const { maxAds: _, ...place } = adBreak;
    const wanted = { ...place, ...limits };
    const common = { step, session, adBreak: wanted, rules: demand.rules, before, about: request.about };
    if (record.type === 'house') {
      const ads = deps.houseAds(record, { ...common, id, timeoutMs: 0 });
      const outcome = { warnings: [], ads, dropped: [], errors: [] };
      const why = ads.length > 0 ? undefined : reason('NO_ADS', 'None of its creatives is valid now.');
      const answer = { asked: limits, offered: ads.length, ...withoutUndefined({ reason: why }) };
      return { asked: { ...about, type: record.type, ...answer }, outcome };
    }
    const server = { ...about, type: record.type };
    if (given?.source === id) return resultOf(server, limits, given, 0);
    const share = shareOf(step);
    if (share < MIN_REQUEST_MS) return none(NO_TIME);
    const atOnce = patience();
    const turn = await deps.takeTurn(record, atOnce + share / 2);
    if (turn.kind === 'over') return none(turn.reason);
    const patient = Math.min(atOnce, turn.waitedMs);
    deadline = Math.max(deadline, startedAt + demand.budgetMs + (request.patienceMs ?? 0) - atOnce + patient);
    const timeoutMs = Math.floor(Math.min(record.timeoutMs ?? DEFAULT_TIMEOUT_MS, share - (turn.waitedMs - patient)));
    // Its turn has come late.
    if (timeoutMs < MIN_REQUEST_MS) return none(NO_TIME);
    const own = { ...common, timeoutMs };
    const received =
      record.type === 'vast'
        ? await deps.requestVast({ ...own, source: record }, demand)
        : await deps.requestBids({ ...own, source: record }, demand);
    return resultOf(server, limits, received, turn.waitedMs);
  }

  for (const [index, step] of demand.steps.entries()) {
    const joined = joinSources(results);
    const limits: BreakLimits =
      step.request === 'break' || results.length === 0
        ? { duration: adBreak.duration, ...withoutUndefined({ maxAds: adBreak.maxAds }) }
        : await freeAfter(joined.ads, joined.variables);
    results.push(...(await Promise.all(step.sources.map((one) => requestSource(one, index, limits, joined.ads)))));
  }
  const joined = joinSources(results);
  return demand.hooks?.adsUrl === undefined
    ? joined
    : deps.afterAnswers(request, demand, joined, deadline - timers.elapsed());
}

function resultOf(
  server: Pick<AskedServer, 'step' | 'source' | 'name' | 'type'>,
  asked: BreakLimits,
  { outcome, hooks }: Hooked<ServerOutcome>,
  waitedMs: number,
): SourceResult {
  const { request, response, wrappers, reason: why, ads } = outcome;
  return {
    outcome,
    asked: {
      ...server,
      asked,
      request,
      ...(waitedMs > 0 ? { waitedMs: Math.round(waitedMs) } : {}),
      ...withoutUndefined({ hooks, response, wrappers }),
      offered: ads.length,
      ...withoutUndefined({ reason: why }),
    },
  };
}
