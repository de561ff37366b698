// SPDX-License-Identifier: Apache-2.0
// Composes the requests of a break: the ad server or the steps of a channel, their rates and their hooks.
import { createHttpHook } from '../../adapters/http/httpHook.ts';
import type { AdRequestOutcome } from '../../ads/record/breakRecord.ts';
import type { AdResponseReader, AdServer } from '../../ads/request/ports.ts';
import type { FindAdSources } from '../../channels/ports.ts';
import { withoutUndefined } from '../../invariant.ts';
import type { BidReader } from '../../openrtb/ports.ts';
import { createDemands } from '../../playback/request/demand.ts';
import { createHooks } from '../../playback/request/hooks.ts';
import { observeAdRequests } from '../../playback/request/observeAdRequests.ts';
import { createRateGate } from '../../playback/request/rateGate.ts';
import { type AdRequestContext, requestAds } from '../../playback/request/requestAds.ts';
import { requestBids } from '../../playback/request/requestBids.ts';
import { type BreakRequester, createBreakRequester } from '../../playback/request/requestBreak.ts';
import { requestPresentation } from '../../playback/request/requestPresentation.ts';
import type { SourceRates } from '../../sessions/ports.ts';
import type { CoreEvents } from '../coreEvents.ts';
import type { Services } from '../openServices.ts';

export type AdReader = AdResponseReader & BidReader;

type Deps = {
  readonly adServer: AdServer;
  readonly reader: AdReader;
  readonly rates: SourceRates;
  readonly findSources: FindAdSources;
  readonly events: Pick<CoreEvents, 'adRequested' | 'adServerSeen'>;
};

/** A request with the ad server that it is sent to. */
type Sending = <Context extends Pick<AdRequestContext, 'session'>, Result extends Pick<AdRequestOutcome, 'reason'>>(
  request: (context: Context, adServer: AdServer) => Promise<Result>,
) => (context: Context) => Promise<Result>;

export type Demands = ReturnType<typeof composeDemand>;

export function composeDemand(
  { guard, now, timers, warn: log }: Services,
  { adServer, reader, rates, findSources, events }: Deps,
) {
  const clock = { now, timers };
  const shared = {
    ...clock,
    gate: createRateGate({ store: rates, now, timers, log }),
    hooks: createHooks(createHttpHook(guard, clock), timers),
  };
  const observer = { sent: events.adRequested, sign: events.adServerSeen };
  /** Requests of viewers, which are counted. */
  const observed: Sending = (request) => observeAdRequests(request, adServer, observer, now);
  const requester = (sending: Sending, own: AdReader): BreakRequester =>
    createBreakRequester({
      ...shared,
      requestVast: sending((one: AdRequestContext, server) => requestAds(one, server, own, clock)),
      requestPresentation: sending((one: AdRequestContext, server) => requestPresentation(one, server, own, clock)),
      requestBids: (one, channel, change) =>
        sending((same: typeof one, server) =>
          requestBids(same, channel, { ...clock, adServer: server, reader: own, ...withoutUndefined({ change }) }),
        )(one),
    });
  return {
    demandOf: createDemands(findSources),
    ...requester(observed, reader),
    /** Requests of operators use the rates and hooks of viewers, and are not counted. */
    requesterWith: (server: AdServer, own: AdReader): BreakRequester =>
      requester((request) => (one) => request(one, server), own),
  };
}
