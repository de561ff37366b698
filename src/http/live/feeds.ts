// The routes that tell a player about its ads.
import { AppError } from '../../errors.ts';
import type { Viewers } from '../../playback/viewers.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import { writeFeed } from '../../tracking/feed.ts';
import { nearestBreak, writePodVast } from '../../tracking/podVast.ts';
import { type Asked, airingOf, type PlayerDeps } from './player.ts';
import { reply, replyJson, replyNothing } from './reply.ts';
import type { FeedRoutes } from './server.ts';

export type FeedDeps = PlayerDeps & { readonly sessions: SessionStore; readonly viewers: Viewers };

/** Breaks that the feed goes back to. */
const MOST_BREAKS = 20;

export function createFeeds(deps: FeedDeps): FeedRoutes {
  async function sessionNamed(id: string) {
    const state = await deps.sessions.find(id);
    if (state === undefined) throw new AppError('NOT_FOUND', `There is no session ${id}.`);
    return state.session;
  }

  return {
    async tracking(sessionId: string, { request, response }: Asked) {
      const session = await sessionNamed(sessionId);
      const { lineup } = airingOf(deps, session.channelId);
      const breaks = await deps.sessions.breaks(sessionId, MOST_BREAKS);
      const from = session.format === 'dash' ? lineup.startedAt : session.openedAt;
      const availabilityStart = session.format === 'dash' ? new Date(lineup.startedAt).toISOString() : null;
      replyJson(request, response, 200, { ...writeFeed(breaks, from), dashAvailabilityStartTime: availabilityStart });
    },
    async vast(channelId, sessionId, adId, { request, response }) {
      const session = await sessionNamed(sessionId);
      if (session.channelId !== channelId) throw new AppError('NOT_FOUND', `There is no session ${sessionId}.`);
      const { channel } = airingOf(deps, channelId);
      const breaks = await deps.sessions.breaks(sessionId, MOST_BREAKS);
      const found =
        adId === undefined
          ? nearestBreak(breaks, deps.now(), channel.playlistSize * 1000)
          : breaks.find(({ ads }) => ads.some((ad) => ad.adId === adId && ad.outcome === 'stitched'));
      const text = found && writePodVast(found, adId);
      if (text !== undefined) reply(request, response, 200, 'application/xml; charset=utf-8', text, 'never');
      else if (adId === undefined) replyNothing(response);
      else throw new AppError('NOT_FOUND', `The session has no ad ${adId}.`);
    },
  };
}
