// SPDX-License-Identifier: Apache-2.0
// What the routes of the live port need, and the request that they handle.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Channel } from '../../channels/channel.ts';
import type { ReadRequestedFeed } from '../../planning/vod/readRequestedFeed.ts';
import type { Airings } from '../../playback/onAir/airing.ts';
import type { PreviewTokens } from '../../playback/view/previewTokens.ts';
import type { BreakDecider } from '../../playback/view/view.ts';
import type { Viewers } from '../../playback/viewers/viewers.ts';
import type { Viewings } from '../../playback/viewings.ts';
import type { Presentations } from '../../playback/vod/presentations.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { Span } from '../../tracing/tracer.ts';
import type { TitleSource } from '../../vod/ports.ts';
import type { Proxies, RequestSource } from '../proxies.ts';
import type { LiveObserver } from './observer.ts';
import type { AllowOpening } from './openingLimits.ts';

/** What plays VoD channels. */
export type VodPlayback = {
  readonly titles: TitleSource;
  readonly presentations: Presentations;
  /** Fetches an MRSS feed that a request names. */
  readonly readFeed: ReadRequestedFeed;
  /** Seconds for which a session is kept beyond the length of its presentation. */
  readonly sessionTtl: number;
};

export type PlayerDeps = {
  readonly airings: Airings;
  readonly viewers: Viewers;
  readonly viewings: Viewings;
  readonly sessions: SessionStore;
  readonly decider: BreakDecider;
  readonly vod: VodPlayback;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly proxies: Proxies;
  /** The public URL of the live port without a trailing slash: as configured, or as in the request. */
  readonly liveUrl: (request: RequestSource) => string;
  /** No limit if absent. */
  readonly allowOpening?: AllowOpening;
  readonly observe?: LiveObserver;
  /** Whether a token marks a session of the channel as a preview. */
  readonly isPreviewToken?: PreviewTokens['accepts'];
  /** Called when a player requests a channel that is not on air yet. */
  readonly onMissing?: (channel: Channel) => void;
};

export type PlayerRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** Result of performance.now(). */
  readonly startedAt: number;
  /** Index in `routeClasses`, once the route is found. */
  routeClass: number;
  /** Only if live requests are traced. */
  span?: Span;
  /** JSON, once it was read. */
  body?: Promise<unknown>;
  /** Set for requests of manifests; `tenant` once the channel is identified. */
  manifest?: { readonly channelId: string; readonly format: Session['format']; tenant?: string };
};
