// SPDX-License-Identifier: Apache-2.0
// Requests the ads of a break: of the channel's one ad server, or of the sources of its steps.
import type { AdRequestOutcome, NoAdsReason, ServerOutcome, TracedHook } from '../../ads/record/breakRecord.ts';
import type { BuiltRequest } from '../../ads/request/buildAdRequest.ts';
import type { AdSourceSettings, OpenRtbSource } from '../../channels/demand.ts';
import type { HookedRequest } from '../../demand/hooks/requestHook.ts';
import { houseAds } from '../../demand/house.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { BidChannel, BuiltBidRequest } from '../../openrtb/buildBidRequest.ts';
import type { Clock } from '../../time/clock.ts';
import type { StepsDemand } from './demand.ts';
import type { createHooks } from './hooks.ts';
import { type RateGate, rateReason } from './rateGate.ts';
import type { AdRequestContext } from './requestAds.ts';
import type { BidsDeps } from './requestBids.ts';
import { type BreakRequest, requestSteps, type SourceRequest, type StepsDeps } from './requestSteps.ts';

export type BreakRequesterDeps = Clock & {
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

export type RequestBreak = (request: BreakRequest) => Promise<AdRequestOutcome>;

/** The hook before the requests of a channel, and what it did. */
function requestHook<Built extends HookedRequest>(
  hooks: Hooks,
  { source: { id, type }, session, adBreak }: SourceRequest<AdSourceSettings>,
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

const hooked = (outcome: ServerOutcome, hooks: readonly TracedHook[]) =>
  hooks.length === 0 ? { outcome } : { outcome, hooks };

export function createBreakRequester(deps: BreakRequesterDeps): RequestBreak {
  const { requestVast, requestBids, gate, hooks, now, timers } = deps;
  const steps: StepsDeps = {
    now,
    timers,
    async requestVast(request, demand) {
      const { source, timeoutMs, session, adBreak } = request;
      const { change, traces } = requestHook<BuiltRequest>(hooks, request, demand);
      const onRest = (ms: number) => gate.rest(source, ms);
      const context = { source: { ...source, timeoutMs }, session, adBreak, onRest, ...withoutUndefined({ change }) };
      return hooked(await requestVast(context), traces);
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
  return ({ demand, ...request }) =>
    demand.kind === 'server'
      ? requestVast({ source: demand.source, session: request.session, adBreak: request.adBreak })
      : requestSteps(request, demand, steps);
}
