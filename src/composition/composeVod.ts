// SPDX-License-Identifier: Apache-2.0
// Composes what plays VoD channels: titles, and the presentations of their sessions.
import { randomUUID } from 'node:crypto';
import { createFireAndForget } from '../adapters/http/fireAndForget.ts';
import { sqlFrozen } from '../adapters/sql/sessions/sqlFrozen.ts';
import type { FindMedia } from '../ads/placement/clipMaker.ts';
import type { AdResponseReader, AdServer } from '../ads/request/ports.ts';
import type { VodPlayback } from '../http/live/playerRequest.ts';
import type { Origin } from '../ingest/ports.ts';
import { createFeedReader } from '../planning/vod/readRequestedFeed.ts';
import type { DeciderDeps } from '../playback/decide/decideBreak.ts';
import type { AdRequests } from '../playback/request/adRequests.ts';
import { callErrorUrls } from '../playback/request/errorUrls.ts';
import { type AdRequestContext, requestAds } from '../playback/request/requestAds.ts';
import { requestPresentation } from '../playback/request/requestPresentation.ts';
import { createPresentationDecider } from '../playback/vod/decidePresentation.ts';
import { lastRetryAt } from '../playback/vod/lastRetryAt.ts';
import { createPresentations } from '../playback/vod/presentations.ts';
import { observeAdRequests } from '../reports/count/adRequestEvents.ts';
import type { SessionStore } from '../sessions/ports.ts';
import type { TitleSource } from '../vod/ports.ts';
import type { Services } from './openServices.ts';

type Deps = Pick<DeciderDeps, 'library' | 'onDecided'> & {
  readonly sessions: SessionStore;
  readonly titles: TitleSource;
  readonly origin: Pick<Origin, 'read'>;
  readonly findMedia: FindMedia;
  readonly requests: AdRequests;
  readonly adServer: AdServer;
  readonly reader: AdResponseReader;
};

export function composeVod(
  { config, sql, guard, reports, now, timers, warn }: Services,
  { sessions, titles, origin, findMedia, requests, adServer, reader, library, onDecided }: Deps,
): VodPlayback {
  const fire = createFireAndForget(guard, { timers });
  const clock = { now, timers };
  const oneBreak = observeAdRequests(
    (context, observed) => requestAds(context, observed, reader, clock),
    ...([adServer, reports.record, now] as const),
  );
  const allBreaks = observeAdRequests(
    (context, observed) => requestPresentation(context, observed, reader, clock),
    ...([adServer, reports.record, now] as const),
  );
  const lastRetryOf = (context: AdRequestContext) => lastRetryAt(context, now());
  const presentations = createPresentations({
    ...{ sessions, titles, findMedia, now, timers },
    frozen: sqlFrozen(sql),
    holder: randomUUID(),
    decide: createPresentationDecider({
      ...{ library, now, timers, log: warn },
      requestAds: (context) => requests.send(() => oneBreak(context), lastRetryOf(context)),
      requestPresentation: (context) => requests.send(() => allBreaks(context), lastRetryOf(context)),
      callErrorUrls: (errors, context) => callErrorUrls(errors, context, fire, now()),
      ...(onDecided ? { onDecided } : {}),
      onRecorded: reports.onRecorded,
    }),
    log: warn,
  });
  return { titles, presentations, readFeed: createFeedReader(origin, now), sessionTtl: config.VOD_SESSION_TTL };
}
