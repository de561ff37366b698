// SPDX-License-Identifier: Apache-2.0
// Composes what plays VoD channels: titles, and the presentations of their sessions.
import { randomUUID } from 'node:crypto';
import type { FindMedia } from '../ads/placement/breakClips.ts';
import type { AdResponseReader, AdServer } from '../ads/request/ports.ts';
import type { VodPlayback } from '../http/live/playerRequest.ts';
import type { Origin } from '../ingest/ports.ts';
import { createFeedReader } from '../planning/vod/readRequestedFeed.ts';
import type { DeciderDeps } from '../playback/decide/decideBreak.ts';
import { observeAdRequests } from '../playback/request/observeAdRequests.ts';
import type { AdRequestContext } from '../playback/request/requestAds.ts';
import { requestPresentation } from '../playback/request/requestPresentation.ts';
import type { Viewers } from '../playback/viewers/viewers.ts';
import { createPresentationDecider } from '../playback/vod/decidePresentation.ts';
import { createPresentations } from '../playback/vod/presentations.ts';
import { lastRetryAt } from '../playback/vod/requestContext.ts';
import type { FrozenStore, SessionStore } from '../sessions/ports.ts';
import type { TitleSource } from '../vod/ports.ts';
import type { Decisions } from './composeDecisions.ts';
import type { CoreEvents } from './coreEvents.ts';
import type { Services } from './openServices.ts';

/** The requests and Error URLs are those of linear channels, with the same limits. */
type Deps = Pick<DeciderDeps, 'library' | 'onDecided'> &
  Pick<Decisions, 'requests' | 'requestAds' | 'callErrorUrls'> & {
    readonly sessions: SessionStore;
    readonly frozen: FrozenStore;
    readonly titles: TitleSource;
    readonly origin: Pick<Origin, 'read'>;
    readonly findMedia: FindMedia;
    readonly adServer: AdServer;
    readonly reader: AdResponseReader;
    readonly viewers: Pick<Viewers, 'seats'>;
  };

export function composeVod(
  { config, now, timers, warn }: Services,
  events: CoreEvents,
  { sessions, frozen, titles, origin, findMedia, adServer, reader, viewers, library, onDecided, ...ofDecisions }: Deps,
): VodPlayback {
  const { requests, requestAds, callErrorUrls } = ofDecisions;
  const clock = { now, timers };
  const allBreaks = observeAdRequests(
    (context, observed) => requestPresentation(context, observed, reader, clock),
    adServer,
    events.adRequested,
    now,
  );
  const lastRetryOf = (context: AdRequestContext) => lastRetryAt(context, now());
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
      library,
      now,
      timers,
      log: warn,
      requestAds: (context) => requests.send(() => requestAds(context), lastRetryOf(context)),
      requestPresentation: (context) => requests.send(() => allBreaks(context), lastRetryOf(context)),
      callErrorUrls,
      ...(onDecided ? { onDecided } : {}),
      onRecorded: events.recorded,
    }),
    log: warn,
  });
  return { titles, presentations, readFeed: createFeedReader(origin, now), sessionTtl: config.VOD_SESSION_TTL };
}
