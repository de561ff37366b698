// SPDX-License-Identifier: Apache-2.0
// What the routes of the live port need, and the request that they handle.
import type { Channel } from '../../channels/channel.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import { AppError } from '../../errors.ts';
import type { ReadRequestedFeed } from '../../planning/vod/readRequestedFeed.ts';
import type { GuidedPresence } from '../../playback/guided/guidedPresence.ts';
import type { Airings } from '../../playback/onAir/airingCache.ts';
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
import type { LiveRequest, LiveResponse } from './exchange.ts';
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
  readonly presence: Pick<GuidedPresence, 'note'>;
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
  readonly request: LiveRequest;
  readonly response: LiveResponse;
  readonly query: URLSearchParams;
  /** Result of performance.now(). */
  readonly startedAt: number;
  /** Index in `routeClasses`, once the route is found. */
  routeClass: number;
  /** Only if live requests are traced. */
  span?: Span;
  /** JSON, once it was read. */
  body?: Promise<unknown>;
  /** Set for requests of manifests; `channel` once it is identified. */
  manifest?: RequestedManifest;
};

type RequestedManifest = {
  readonly channelId: string;
  readonly format: Session['format'];
  channel: ChannelRef | undefined;
};

export const manifestOf = (channelId: string, format: Session['format']): RequestedManifest => ({
  channelId,
  format,
  channel: undefined,
});

/** The session that a player names in the query. @throws {AppError} VALIDATION_ERROR */
export function sessionIn({ query }: PlayerRequest): string {
  const id = query.get('sid');
  if (id) return id;
  throw new AppError('VALIDATION_ERROR', 'Missing sid query parameter. Request the MPD as the view route returned it.');
}

// What the live port reports for statistics. It is called during every request, so implementations must return at once.

export type LiveObserver = {
  opened(session: Session): void;
  /** The viewer requested a manifest that lists media. */
  watched(session: Session, now: Millis): void;
  /** A request for a manifest of the channel has ended, after `ms` milliseconds. */
  served(channel: ChannelRef, format: Session['format'], ms: number, isError: boolean): void;
};

const MAX_USER_AGENT_LENGTH = 500;

/** A part of a text keeps all of it in memory, and sessions keep their user agents. */
const copyOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** The address and the user agent that ad requests of the session contain. */
export const viewerOf = (request: LiveRequest, proxies: Proxies): Session['viewer'] => ({
  address: proxies.clientOf(request),
  userAgent: copyOf((request.headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH)),
});

/** @throws {AppError} METHOD_NOT_ALLOWED */
export function requirePost({ method }: LiveRequest, response: LiveResponse): void {
  if (method === 'POST') return;
  response.setHeader('allow', 'POST, OPTIONS');
  throw new AppError('METHOD_NOT_ALLOWED', `Method ${method} not allowed. Use POST.`);
}

// Reads a small JSON body from a player. The content type is ignored: players send text/plain to avoid a CORS preflight.

/** @returns undefined if the body is empty; @throws {AppError} TOO_LARGE, MALFORMED */
export async function readBody(request: LiveRequest, maxBytes: number): Promise<unknown> {
  const tooLarge = new AppError('TOO_LARGE', `The body must be at most ${maxBytes} bytes; got more.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length > maxBytes) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new AppError('MALFORMED', 'The body ended before it was complete.', { cause: error });
  }
  const text = Buffer.concat(chunks).toString('utf8').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('MALFORMED', `The body must be JSON: ${(error as Error).message.slice(0, 200)}.`, {
      cause: error,
    });
  }
}
