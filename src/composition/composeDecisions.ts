// SPDX-License-Identifier: Apache-2.0
// Composes the decision of breaks: ad requests, recording, and the spool for outages.
import { join } from 'node:path';
import { Counter, type Registry } from 'prom-client';
import { createFireAndForget } from '../adapters/http/fireAndForget.ts';
import { createFileSpool } from '../adapters/spool/fileSpool.ts';
import { createShownBreakSpool } from '../adapters/spool/shownBreakSpool.ts';
import type { AdResponseReader, AdServer } from '../ads/request/ports.ts';
import { isPreview } from '../ads/request/preview.ts';
import { createBreakDecider, type DeciderDeps } from '../playback/decide/decideBreak.ts';
import { createPrefetcher } from '../playback/decide/prefetcher.ts';
import { createShownBreaks } from '../playback/decide/shownBreaks.ts';
import { type AdRequestDeps, type AdRequests, createAdRequests } from '../playback/request/adRequests.ts';
import { callErrorUrls } from '../playback/request/errorUrls.ts';
import { observeAdRequests } from '../playback/request/observeAdRequests.ts';
import { requestAds } from '../playback/request/requestAds.ts';
import type { BreakDecider } from '../playback/view/view.ts';
import type { CoreEvents } from './coreEvents.ts';
import { observeSpool } from './metrics/observeServing.ts';
import type { Services } from './openServices.ts';

type Deps = Pick<DeciderDeps, 'sessions' | 'viewers' | 'health' | 'library' | 'onDecided'> & {
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
  readonly metrics: Registry;
};

export type Decisions = {
  readonly requests: AdRequests;
  readonly requestAds: AdRequestDeps['requestAds'];
  readonly callErrorUrls: DeciderDeps['callErrorUrls'];
  readonly decider: BreakDecider;
  /** Records the breaks that were shown as slate during an outage. */
  readonly recordShown: () => Promise<void>;
  /** Resolves when no break is being decided. */
  readonly idle: () => Promise<void>;
};

const MEGABYTE = 1024 * 1024;
const DECISION_SPOOL = 'Size of DATA_DIR/decisions: breaks shown during an outage that the store does not have yet';

export function composeDecisions(
  { config, guard, now, timers, warn }: Services,
  events: CoreEvents,
  { adServer, reader, metrics, ...deps }: Deps,
): Decisions {
  const { sessions } = deps;
  const files = createFileSpool(join(config.DATA_DIR, 'decisions'), {
    maxBytes: config.DELIVERY_SPOOL_MB * MEGABYTE,
  });
  observeSpool(metrics, 'midroll_decision_spool_bytes', DECISION_SPOOL, files.size);
  const spool = createShownBreakSpool(files, (entries) =>
    warn('decision spool full: oldest entries discarded', { entries }),
  );
  const shown = createShownBreaks({ spool, sessions, log: warn });
  const fire = createFireAndForget(guard, { timers });
  const clock = { now, timers };
  const requestOne = observeAdRequests(
    (context, observed) => requestAds(context, observed, reader, clock),
    adServer,
    events.adRequested,
    now,
  );
  const requests = createAdRequests({ requestAds: requestOne, sessions, now, timers, log: warn });
  const counted = new Counter({
    name: 'midroll_prefetch_total',
    help: 'Ads requested before a break was announced, by step: requested, kept, used or unused',
    labelNames: ['step'] as const,
    registers: [metrics],
  });
  const prefetcher = createPrefetcher({
    ...deps,
    requests,
    requestAds: requestOne,
    now,
    log: warn,
    onStep: (step) => counted.inc({ step }),
  });
  const callErrors: DeciderDeps['callErrorUrls'] = (errors, context) => {
    if (!isPreview(context.session)) callErrorUrls(errors, context, fire, now());
  };
  const decider = createBreakDecider({
    ...deps,
    requests,
    shown,
    prefetcher,
    now,
    timers,
    log: warn,
    callErrorUrls: callErrors,
    onRecorded: events.recorded,
  });
  const { record: recordShown } = shown;
  return { decider, requests, requestAds: requestOne, callErrorUrls: callErrors, recordShown, idle: decider.idle };
}
