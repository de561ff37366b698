// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a break: of the channel's one ad server, or of the sources of its steps.
import type { AdRequestOutcome, NoAdsReason, ServerOutcome, TracedHook } from '../../ads/record/breakRecord.ts';
import type { BuiltRequest } from '../../ads/request/buildAdRequest.ts';
import { maskUrl } from '../../ads/request/maskSecrets.ts';
import type { AdSourceSettings, OpenRtbSource, VastSource } from '../../channels/demand.ts';
import type { HookedRequest } from '../../demand/hooks/requestHook.ts';
import { houseAds } from '../../demand/house.ts';
import { defined, withoutUndefined } from '../../invariant.ts';
import type { BidChannel, BuiltBidRequest } from '../../openrtb/buildBidRequest.ts';
import type { Clock } from '../../time/clock.ts';
import { namingSource, type StepsDemand } from './demand.ts';
import type { createHooks } from './hooks.ts';
import { type RateGate, rateReason } from './rateGate.ts';
import { type AdRequestContext, DEFAULT_TIMEOUT_MS, withoutAds } from './requestAds.ts';
import type { BidsDeps } from './requestBids.ts';
import type { PresentationOutcome } from './requestPresentation.ts';
import { type BreakRequest, type Hooked, requestSteps, type SourceRequest, type StepsDeps } from './requestSteps.ts';

export type BreakRequesterDeps = Clock & {
  readonly requestPresentation: (context: AdRequestContext) => Promise<PresentationOutcome>;
  readonly requestVast: (context: AdRequestContext) => Promise<ServerOutcome>;
  readonly requestBids: (
    request: SourceRequest<OpenRtbSource>,
    channel: BidChannel,
    change: BidsDeps['change'],
  ) => Promise<ServerOutcome>;
  readonly gate: RateGate;
  readonly hooks: Hooks;
};

type Hooks = ReturnType<typeof createHooks>;

type VastRequest = Pick<SourceRequest<VastSource>, 'source' | 'session' | 'adBreak' | 'timeoutMs'>;

export type RequestBreak = (request: BreakRequest) => Promise<AdRequestOutcome>;

/** For presentations whose breaks the ad server names (VMAP). @param request with a demand that can (`namesBreaks`) */
export type RequestPresentation = (
  request: Pick<BreakRequest, 'demand' | 'session' | 'adBreak'>,
) => Promise<PresentationOutcome>;

/** The hook before the requests of a channel, and what it did. */
function requestHook<Built extends HookedRequest>(
  hooks: Hooks,
  { source: { id, type }, session, adBreak }: Pick<SourceRequest<AdSourceSettings>, 'source' | 'session' | 'adBreak'>,
  { hooks: own }: StepsDemand,
) {
  const traces: TracedHook[] = [];
  if (own?.requestUrl === undefined) return { traces, change: undefined };
  const change = async (built: Built, timeLeft: number): Promise<Built | NoAdsReason> => {
    const before = await hooks.beforeRequest(own, { session, adBreak, source: { id, type } }, built, timeLeft);
    if (before.trace !== undefined) traces.push(before.trace);
    return before.kind === 'send' ? before.built : { code: 'HOOK_SKIPPED', text: before.reason };
  };
  return { traces, change };
}

const hooked = <Outcome>(outcome: Outcome, hooks: readonly TracedHook[]): Hooked<Outcome> =>
  hooks.length === 0 ? { outcome } : { outcome, hooks };

export type BreakRequester = { readonly requestBreak: RequestBreak; readonly requestPresentation: RequestPresentation };

export function createBreakRequester(deps: BreakRequesterDeps): BreakRequester {
  const { requestPresentation, requestVast, requestBids, gate, hooks, now, timers } = deps;
  const steps: StepsDeps = {
    now,
    timers,
    async requestVast(request, demand) {
      return sendVast(requestVast, request, demand);
    },
    async requestBids(request, demand) {
      const { change, traces } = requestHook<BuiltBidRequest>(hooks, request, demand);
      const onRest = (ms: number) => gate.rest(request.source, ms);
      return hooked(await requestBids({ ...request, onRest }, { ...demand.channel, ...request.about }, change), traces);
    },
    houseAds,
    async takeTurn(source, mostMs) {
      if (source.type === 'house') return { kind: 'go', waitedMs: 0 };
      const entry = await gate.enter(source, mostMs);
      return entry.kind === 'go' ? entry : { kind: 'over', reason: rateReason(entry, source, now()) };
    },
    afterAnswers: hooks.afterAnswers,
  };

  async function sendVast<Outcome>(
    send: (context: AdRequestContext) => Promise<Outcome>,
    request: VastRequest,
    demand: StepsDemand,
  ): Promise<Hooked<Outcome>> {
    const { source, timeoutMs, session, adBreak } = request;
    const { change, traces } = requestHook<BuiltRequest>(hooks, request, demand);
    const onRest = (ms: number) => gate.rest(source, ms);
    const context = { source: { ...source, timeoutMs }, session, adBreak, onRest, ...withoutUndefined({ change }) };
    return hooked(await send(context), traces);
  }

  return {
    requestBreak: async ({ demand, ...request }) =>
      demand.kind === 'server'
        ? requestVast({ source: demand.source, session: request.session, adBreak: request.adBreak })
        : requestSteps(request, demand, steps),
    async requestPresentation({ demand, session, adBreak }) {
      if (demand.kind === 'server') return requestPresentation({ source: demand.source, session, adBreak });
      const source = defined(namingSource(demand), 'a source names the breaks');
      const budgetMs = Math.min(source.timeoutMs ?? DEFAULT_TIMEOUT_MS, demand.budgetMs);
      const turn = await steps.takeTurn(source, budgetMs / 2);
      if (turn.kind === 'over') return withoutAds({ url: maskUrl(source.url), ms: 0 }, turn.reason);
      const timeoutMs = Math.max(1, budgetMs - turn.waitedMs);
      const { outcome, hooks } = await sendVast(requestPresentation, { source, session, adBreak, timeoutMs }, demand);
      return { ...outcome, ...withoutUndefined({ hooks }) };
    },
  };
}
