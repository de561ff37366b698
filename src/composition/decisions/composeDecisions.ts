// SPDX-License-Identifier: Apache-2.0
// Composes the decision of breaks and of VoD presentations: ad requests, recording, and the spool for outages.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Counter } from 'prom-client';
import { createFireAndForget } from '../../adapters/http/httpAdServer.ts';
import { createFileSpool } from '../../adapters/spool/fileSpool.ts';
import { createShownBreakSpool } from '../../adapters/spool/shownBreakSpool.ts';
import type { CertificateLookup } from '../../ads/request/ports.ts';
import { isPreview } from '../../ads/request/preview.ts';
import type { VodPlayback } from '../../http/live/playerRequest.ts';
import { createFeedReader } from '../../planning/vod/readRequestedFeed.ts';
import { createCountedChoice, createCountReader } from '../../playback/decide/countedChoice.ts';
import { createBreakDecider, type DeciderDeps } from '../../playback/decide/decideBreak.ts';
import { createPrefetcher } from '../../playback/decide/prefetcher.ts';
import { createRequestTimes } from '../../playback/decide/requestTimes.ts';
import { createShownAds } from '../../playback/decide/shownAds.ts';
import { createShownBreaks } from '../../playback/decide/shownBreaks.ts';
import { createAdRequests } from '../../playback/request/adRequests.ts';
import { budgetOf } from '../../playback/request/demand.ts';
import { callErrorUrls as callUrls } from '../../playback/request/errorUrls.ts';
import { DEFAULT_TIMEOUT_MS } from '../../playback/request/requestAds.ts';
import type { Viewers } from '../../playback/viewers/viewers.ts';
import { createPresentationDecider } from '../../playback/vod/decidePresentation.ts';
import { createPresentations } from '../../playback/vod/presentations.ts';
import { lastRetryAt } from '../../playback/vod/requestBreaks.ts';
import type { FrozenStore, ShownAdsStore } from '../../sessions/ports.ts';
import { viewerCounter } from '../../sessions/sessionRules.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { CoreEvents } from '../coreEvents.ts';
import { observeSpool } from '../metrics/observeServing.ts';
import type { Services } from '../openServices.ts';
import type { Demands } from './composeDemand.ts';

type Deps = Pick<DeciderDeps, 'sessions' | 'health' | 'library'> & {
  readonly onDecided: NonNullable<DeciderDeps['onDecided']>;
  readonly viewers: Viewers;
  readonly frozen: FrozenStore;
  readonly onAir: Pick<OnAirServices, 'titles' | 'origin' | 'findMedia'>;
  readonly demands: Demands;
  readonly shownAds: ShownAdsStore;
  readonly certificates: CertificateLookup;
};

const MEGABYTE = 1024 * 1024;
const DECISION_SPOOL = 'Size of DATA_DIR/decisions: breaks shown during an outage that the store does not have yet';

export function composeDecisions(
  services: Services,
  events: CoreEvents,
  { demands, shownAds, frozen, onAir, certificates, ...own }: Deps,
) {
  const { config, guard, metrics, now, timers, warn: log } = services;
  const { sessions, viewers } = own;
  const files = createFileSpool(join(config.DATA_DIR, 'decisions'), { maxBytes: config.DELIVERY_SPOOL_MB * MEGABYTE });
  observeSpool(metrics, 'midroll_decision_spool_bytes', DECISION_SPOOL, files.size);
  const spool = createShownBreakSpool(files, (entries) =>
    log('decision spool full: oldest entries discarded', { entries }),
  );
  const shown = createShownBreaks({ spool, sessions, log });
  const { demandOf, requestBreak: requestAds, requestPresentation: requestAll } = demands;
  const shownTo = createShownAds({ store: shownAds, health: own.health, now, log });
  const counting = { chooseCounted: createCountedChoice(shownTo), readCounts: createCountReader(shownTo) };
  const requests = createAdRequests({ requestAds, sessions, now, timers, log });
  const counted = new Counter({
    name: 'midroll_prefetch_total',
    help: 'Ads requested before a break was announced, by step: requested, kept, used or unused',
    labelNames: ['step'] as const,
    registers: [metrics],
  });
  const prefetcher = createPrefetcher({
    ...own,
    requests,
    requestAds,
    demandOf,
    now,
    log,
    onStep: (step) => counted.inc({ step }),
  });
  const fire = createFireAndForget(guard, { timers, certificates });
  const callErrorUrls: DeciderDeps['callErrorUrls'] = (errors, context) => {
    if (!isPreview(context.session)) callUrls(errors, context, fire, now());
  };
  const callNotices: DeciderDeps['callNotices'] = (urls, tenant) => {
    for (const url of urls) fire(url, {}, tenant);
  };
  const recording = { now, timers, log, callErrorUrls, callNotices, ...counting, onRecorded: events.recorded };
  const requestTimeOf = createRequestTimes({ countViewers: viewerCounter(sessions, now), demandOf, timers, log });
  const decider = createBreakDecider({ ...own, ...recording, requests, demandOf, requestTimeOf, shown, prefetcher });
  // The requests and Error URLs of VoD presentations are those of linear channels, with the same limits.
  const lastRetryOf = (timeoutMs: number | undefined) => lastRetryAt(timeoutMs ?? DEFAULT_TIMEOUT_MS, now());
  const { titles, origin, findMedia } = onAir;
  const presentations = createPresentations({
    sessions,
    frozen,
    titles,
    findMedia,
    now,
    timers,
    holder: randomUUID(),
    seats: viewers.seats,
    decide: createPresentationDecider({
      ...recording,
      library: own.library,
      onDecided: own.onDecided,
      demandOf,
      requestAds: (request) => requests.send(() => requestAds(request), lastRetryOf(budgetOf(request.demand))),
      requestPresentation: (request) => requests.send(() => requestAll(request), lastRetryOf(budgetOf(request.demand))),
    }),
    log,
  });
  const readFeed = createFeedReader(origin, now);
  const vod: VodPlayback = { titles, presentations, readFeed, sessionTtl: config.VOD_SESSION_TTL };
  return {
    decider,
    requests,
    vod,
    presentations,
    /** Records the breaks that were shown as slate during an outage. */
    recordShown: shown.record,
    /** Resolves when no break is being decided. */
    idle: decider.idle,
  };
}
