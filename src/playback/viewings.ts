// SPDX-License-Identifier: Apache-2.0
// What sessions show. A session is found by its id alone: in memory, or with one read of the store. Its kind decides what plays it.
import type { Channel, VodChannel } from '../channels/channel.ts';
import { AppError } from '../errors.ts';
import type { SessionState, SessionStore } from '../sessions/ports.ts';
import type { OnAirSession, Session } from '../sessions/session.ts';
import type { Millis } from '../time/units.ts';
import { refuseFormat, type Servable } from '../timeline/ladder/formatFault.ts';
import type { Span } from '../timeline/programme/span.ts';
import type { Presentation } from '../vod/layOut.ts';
import { type Airing, airingOfSession, type EnabledChannel } from './onAir/airing.ts';
import type { Airings } from './onAir/airingCache.ts';
import { type BreakDecider, type View, viewAt } from './view/view.ts';
import type { Viewer, Viewers } from './viewers/viewers.ts';
import type { SessionAds } from './vod/presentationMemory.ts';
import type { Presentations } from './vod/presentations.ts';
import type { VodViewer } from './vod/vodViewer.ts';

/** A session with the channel that it plays, which is enabled. */
export type Viewing = OnAirViewing | FilmViewing;

export type OnAirViewing = {
  readonly kind: OnAirSession['kind'];
  readonly channel: Channel;
  readonly viewer: Viewer;
  /** What is on air, with the target duration of the session. */
  readonly airing: Airing;
};

export type FilmViewing = { readonly kind: 'film'; readonly channel: VodChannel; readonly viewer: VodViewer };

/** A presentation, from start to end. It never changes. */
export type FilmView = {
  readonly channel: VodChannel;
  readonly viewer: VodViewer;
  readonly presentation: Presentation;
};

/** What a manifest lists. */
export type Shown = View | FilmView;

/** What requests for the ads of a film need of it. */
export type FilmAds = { readonly kind: 'film'; readonly channel: VodChannel; readonly ads: SessionAds };

type Found = Viewing | undefined | Promise<Viewing | undefined>;

type Deps = {
  readonly airings: Airings;
  readonly viewers: Pick<Viewers, 'seats' | 'read' | 'find' | 'update'>;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly decider: BreakDecider;
  readonly vod: { readonly presentations: Pick<Presentations, 'find' | 'settled' | 'adsOf'> };
};

export const channelNotFound = (id: string) => new AppError('NOT_FOUND', `Channel "${id}" is unknown or disabled.`);

export const sessionNotFound = (id: string) =>
  new AppError('NOT_FOUND', `Session "${id}" not found. Open a new one with the channel's playback URL.`);

/** What a session that is opened now plays. @throws {AppError} UNAVAILABLE until the channel is on air */
export function airingOf(enabled: EnabledChannel, format: Session['format']): Airing {
  const airing = (format === 'dash' ? enabled.dashAiring : undefined) ?? enabled.airing;
  if (airing === undefined) throw notOnAir(enabled);
  return airing;
}

const notOnAir = ({ reason }: EnabledChannel) =>
  new AppError('UNAVAILABLE', reason?.() ?? 'The channel is not on air yet. Retry soon.', { part: 'channel' });

/** A live channel may have two feeds; a session belongs to one of them. */
function airingOfLife({ airing, dashAiring }: EnabledChannel, life: string): Airing | undefined {
  if (airing?.life === life) return airing;
  return dashAiring?.life === life ? dashAiring : undefined;
}

/**
 * @returns undefined for a session of a past life
 * @throws {AppError} NOT_FOUND if the channel is not enabled, UNAVAILABLE while its feed is idle
 */
export function airingFor(enabled: EnabledChannel | undefined, { channelId, life }: Session): Airing | undefined {
  if (enabled === undefined) throw channelNotFound(channelId);
  const airing = airingOfLife(enabled, life);
  const isIdle = airing === undefined && (enabled.airing === undefined || enabled.live?.has(life));
  if (isIdle) throw notOnAir(enabled);
  return airing;
}

export function adAt(viewing: OnAirViewing | FilmAds, adId: string): Span | undefined {
  if (viewing.kind === 'film') return viewing.ads.spans.get(adId);
  for (const { spans } of viewing.viewer.choices.decided) {
    const found = spans.find((span) => span.adId === adId);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isVod = ({ channel }: EnabledChannel): boolean => channel.type === 'vod';

export function createViewings({ airings, viewers, sessions, decider, vod }: Deps) {
  const { seats } = viewers;

  /** Several tenants can have a channel with this id. */
  function enabledFor({ channelId, tenant }: Session): EnabledChannel | undefined {
    for (const enabled of airings.named(channelId)) if (enabled.channel.tenant === tenant) return enabled;
    return undefined;
  }

  function viewingOf(viewer: Viewer, { live }: EnabledChannel, airing: Airing): OnAirViewing {
    live?.use(airing.life);
    const { kind } = viewer.session;
    return { kind, channel: airing.channel, viewer, airing: airingOfSession(airing, viewer.session) };
  }

  /** @param stored the session, if it was read from the store */
  function onAir(session: OnAirSession, enabled: EnabledChannel, now: Millis, stored?: SessionState): Found {
    const airing = airingOfLife(enabled, session.life);
    if (airing === undefined) return woken(session, enabled, now);
    const found = stored === undefined ? viewers.find(session.id, airing, now) : viewers.update(airing, stored, now);
    if (found instanceof Promise) return found.then((viewer) => viewer && viewingOf(viewer, enabled, airing));
    return found && viewingOf(found, enabled, airing);
  }

  /** The session of a feed that is idle: it is loaded. */
  function woken(session: OnAirSession, enabled: EnabledChannel, now: Millis): Found {
    const { live } = enabled;
    if (live === undefined || live.isAwake() || !live.has(session.life)) return undefined;
    const show = async (): Promise<Viewing | undefined> => {
      await live.use(session.life);
      return airingOfLife(enabled, session.life) && onAir(session, enabled, now);
    };
    return show();
  }

  async function film(enabled: EnabledChannel, sessionId: string, stored?: SessionState): Promise<Viewing | undefined> {
    const { channel } = enabled;
    if (channel.type !== 'vod') return undefined;
    const viewer = await vod.presentations.find(sessionId, stored);
    return viewer && { kind: 'film', channel, viewer };
  }

  /** @param stored the session, if it was read from the store */
  function play(session: Session, enabled: EnabledChannel | undefined, now: Millis, stored?: SessionState): Found {
    if (enabled === undefined) return undefined;
    if (session.kind === 'film') return film(enabled, session.id, stored);
    return onAir(session, enabled, now, stored);
  }

  function findKnown(session: Session, now: Millis): Found {
    const enabled = enabledFor(session);
    const behind = enabled?.live?.catchUp();
    return behind === undefined
      ? play(session, enabled, now)
      : behind.then(() => play(session, enabledFor(session), now));
  }

  async function findStored(channelId: string, sessionId: string, now: Millis): Promise<Viewing | undefined> {
    const named = airings.named(channelId);
    if (named.every((one) => one.airing === undefined && one.live === undefined && !isVod(one))) return undefined;
    for (const { live } of named) {
      const behind = live?.catchUp();
      if (behind === undefined) continue;
      await behind;
      break;
    }
    const stored = await viewers.read(sessionId);
    return stored?.session.channelId === channelId
      ? play(stored.session, enabledFor(stored.session), now, stored)
      : undefined;
  }

  async function filmView({ channel, viewer }: FilmViewing): Promise<FilmView> {
    return { channel, viewer, presentation: await vod.presentations.settled(channel, viewer) };
  }

  return {
    /**
     * The session of a channel.
     * @returns undefined if there is none; a promise only if the session or the timeline of a feed has to be read from the
     * store, or an idle feed loaded, and for films
     */
    find(channelId: string, sessionId: string, now: Millis): Found {
      const session = seats.get(sessionId)?.session;
      if (session === undefined) return findStored(channelId, sessionId, now);
      return session.channelId === channelId ? findKnown(session, now) : undefined;
    },
    /**
     * Why a session was not found. Only the holder of a session of a channel that is not on air yet receives UNAVAILABLE.
     * @throws {AppError} UNAVAILABLE, NOT_FOUND
     */
    async reject(channelId: string, sessionId: string): Promise<never> {
      const waiting = airings.named(channelId).filter((one) => one.airing === undefined && !isVod(one));
      const session = waiting.length > 0 ? (await sessions.find(sessionId))?.session : undefined;
      const own = waiting.find(
        ({ channel, live }) =>
          session?.channelId === channelId &&
          session.tenant === channel.tenant &&
          // Sessions of a feed that has ended do not play another one.
          (live === undefined || live.has(session.life)),
      );
      throw own === undefined ? sessionNotFound(sessionId) : notOnAir(own);
    },
    /** @returns a promise if a due break has no decision in memory, and for films, whose ads are decided as a whole */
    viewAt: (viewing: Viewing, now: Millis): Shown | Promise<Shown> =>
      viewing.kind === 'film' ? filmView(viewing) : viewAt(viewing.airing, viewing.viewer, decider, now),
    /** @returns undefined if the session is not that of a film */
    async filmAds(channelId: string, sessionId: string): Promise<FilmAds | undefined> {
      const known = seats.get(sessionId)?.session;
      if (known === undefined && !airings.named(channelId).some(isVod)) return undefined;
      const stored = known === undefined ? await viewers.read(sessionId) : undefined;
      const session = known ?? stored?.session;
      if (session?.kind !== 'film' || session.channelId !== channelId) return undefined;
      const channel = enabledFor(session)?.channel;
      if (channel?.type !== 'vod') return undefined;
      const ads = await vod.presentations.adsOf(channel, sessionId, stored);
      return ads && { kind: 'film', channel, ads };
    },
  };
}

export type Viewings = ReturnType<typeof createViewings>;

/** @param shown a channel on air, or a title @throws {AppError} CONFLICT if it cannot be played in this format */
export function checkFormat(shown: Servable, format: Session['format']): void {
  const refused = refuseFormat(shown, format);
  if (refused !== undefined) throw new AppError('CONFLICT', refused);
}
