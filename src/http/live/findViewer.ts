// SPDX-License-Identifier: Apache-2.0
// Finds the viewer of a session and the channel that it plays, and the error if there is none.
import { AppError } from '../../errors.ts';
import {
  type Airing,
  type Airings,
  airingOfSession,
  type EnabledChannel,
  type LiveAccess,
} from '../../playback/onAir/airing.ts';
import type { Viewer, Viewers } from '../../playback/viewers/viewers.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';

export const channelNotFound = (id: string) => new AppError('NOT_FOUND', `Channel "${id}" is unknown or disabled.`);

/** @throws {AppError} NOT_FOUND if the channel is not enabled, UNAVAILABLE until it is on air */
export function airingOf(
  enabled: EnabledChannel | undefined,
  channelId: string,
  format: Session['format'] = 'hls',
): Airing {
  if (enabled === undefined) throw channelNotFound(channelId);
  const airing = (format === 'dash' ? enabled.dashAiring : undefined) ?? enabled.airing;
  if (airing === undefined)
    throw new AppError('UNAVAILABLE', enabled.reason?.() ?? 'The channel is not on air yet. Retry soon.', {
      part: 'channel',
    });
  return airing;
}

export type FoundViewer = { readonly viewer: Viewer; readonly airing: Airing };

type FindDeps = {
  readonly airings: Airings;
  readonly viewers: Viewers;
  readonly sessions: Pick<SessionStore, 'find'>;
};

/** Loads the idle feed of a live channel if the session belongs to it. */
async function wakeFeed({ sessions }: FindDeps, live: LiveAccess, sessionId: string): Promise<void> {
  const life = (await sessions.find(sessionId))?.session.life;
  if (life !== undefined && live.has(life)) await live.use(life);
}

/** A live channel may have two feeds; a session belongs to one of them. */
const FEEDS = 2;
const feedAt = ({ airing, dashAiring }: EnabledChannel, place: number): Airing | undefined =>
  place === 0 ? airing : dashAiring;

function findIn(deps: FindDeps, enabled: EnabledChannel, sessionId: string, now: Millis, from = 0): Found {
  for (let place = from; place < FEEDS; place += 1) {
    const airing = feedAt(enabled, place);
    const found = airing && deps.viewers.find(sessionId, airing, now);
    if (found instanceof Promise) {
      return found.then((viewer) => {
        if (viewer === undefined) return findIn(deps, enabled, sessionId, now, place + 1);
        enabled.live?.use(airing!.life);
        return withOwn(viewer, airing!);
      });
    }
    if (found !== undefined) {
      enabled.live?.use(airing!.life);
      return withOwn(found, airing!);
    }
  }
  return undefined;
}

const withOwn = (viewer: Viewer, airing: Airing): FoundViewer => ({
  viewer,
  airing: airingOfSession(airing, viewer.session),
});

type Found = FoundViewer | undefined | Promise<FoundViewer | undefined>;

/**
 * Several tenants can have a channel with this id; a session belongs to the life of one of them.
 * @returns a promise only if the session or the timeline of a feed has to be read from the store, or an idle feed loaded
 */
export function findViewer(deps: FindDeps, channelId: string, sessionId: string, now: Millis): Found {
  const named = deps.airings.named(channelId);
  if (named.length === 1 && named[0]!.live === undefined) return findIn(deps, named[0]!, sessionId, now);
  for (const { live } of named) {
    const known = live?.catchUp();
    if (known !== undefined) return known.then(() => search(deps, channelId, sessionId, now));
  }
  return search(deps, channelId, sessionId, now);
}

function search(deps: FindDeps, channelId: string, sessionId: string, now: Millis, from = 0): Found {
  const named = deps.airings.named(channelId);
  for (let place = from; place < named.length; place += 1) {
    const enabled = named[place]!;
    const { live } = enabled;
    const isIdle = () => live !== undefined && !live.isAwake();
    const found = findIn(deps, enabled, sessionId, now);
    const later = () => search(deps, channelId, sessionId, now, place + 1);
    if (found instanceof Promise || (found === undefined && isIdle())) {
      return Promise.resolve(found).then(async (known) => {
        if (known !== undefined) return known;
        if (live === undefined || !isIdle()) return later();
        await wakeFeed(deps, live, sessionId);
        return (await findIn(deps, enabled, sessionId, now)) ?? later();
      });
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

export const sessionNotFound = (id: string) =>
  new AppError('NOT_FOUND', `Session "${id}" not found. Open a new one with the channel's playback URL.`);

/**
 * The error for a session that was not found. Only the holder of a session of a channel that is not on air yet receives
 * UNAVAILABLE.
 * @throws {AppError} UNAVAILABLE, NOT_FOUND
 */
export async function rejectSession(
  { airings, sessions }: { readonly airings: Airings; readonly sessions: SessionStore },
  channelId: string,
  sessionId: string,
): Promise<never> {
  const waiting = airings
    .named(channelId)
    .filter(({ airing, channel }) => airing === undefined && channel.type !== 'vod');
  if (waiting.length > 0) {
    const session = (await sessions.find(sessionId))?.session;
    const own = waiting.find(
      ({ channel, live }) =>
        session?.channelId === channelId &&
        session.tenant === channel.tenant &&
        // Sessions of a feed that has ended do not play another one.
        (live === undefined || live.has(session.life)),
    );
    if (own !== undefined) airingOf(own, channelId);
  }
  throw sessionNotFound(sessionId);
}
