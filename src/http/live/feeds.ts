// The routes that tell a player about its ads.
import { AppError } from '../../errors.ts';
import { createPlayerBreaks } from '../../playback/decide/playerBreaks.ts';
import type { Airing } from '../../playback/onAir/airing.ts';
import { availsOf, scheduledBreaks } from '../../playback/view/availsOf.ts';
import { depthOf } from '../../playback/view/view.ts';
import type { SessionState, SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type ConfirmationStore, readConfirmations } from '../../tracking/feed/confirmations.ts';
import { type FeedOf, writeFeed } from '../../tracking/feed/feed.ts';
import { pageOf, readToken } from '../../tracking/feed/feedPage.ts';
import { nearestBreak, writePodVast } from '../../tracking/feed/podVast.ts';
import { createAllowance } from './allowance.ts';
import { airingOf } from './findWatching.ts';
import { type Asked, checkFormat, type PlayerDeps } from './player.ts';
import { readBody } from './readBody.ts';
import { reply, replyJson, replyNothing } from './reply.ts';
import type { FeedRoutes } from './server.ts';

export type FeedDeps = PlayerDeps & { readonly sessions: SessionStore; readonly confirmations: ConfirmationStore };

/** Avails of a page. */
const USUAL_PAGE = 20;
const LONGEST_PAGE = 60;
const LONGEST_BODY = 4096;
/** Of confirmations: a hundred events, and what players add to them. */
const LONGEST_CONFIRMATIONS = 32_768;
const CONFIRMATIONS_A_MINUTE = 60;

type Format = Session['format'];
type Known = { readonly state: SessionState; readonly airing: Airing };

/** What times of a session's ads are counted from in a format, and who calls their beacons. */
function feedOf({ state: { session }, airing: { channel, programme } }: Known, format: Format): FeedOf {
  const { tracking } = channel;
  if (format === 'dash') return { tracking, zero: programme.startedAt, availabilityStart: programme.startedAt };
  const { zero } = session;
  return zero === undefined ? { tracking, zero: session.openedAt } : { tracking, zero: zero.at, anchor: zero.number };
}

/** `?NextToken=`, `?nextToken=`, or a field of the body of a POST. */
async function askedToken({ request, query }: Asked): Promise<number | undefined> {
  const body = request.method === 'POST' ? await readBody(request, LONGEST_BODY) : undefined;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new AppError('MALFORMED', 'The body must be a JSON object, such as {"NextToken": "…"}.');
  }
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const token = query.get('NextToken') ?? query.get('nextToken') ?? fields.NextToken ?? fields.nextToken;
  if (token === undefined || token === null || token === '') return undefined;
  const before = typeof token === 'string' ? readToken(token) : undefined;
  if (before === undefined) {
    throw new AppError('VALIDATION_ERROR', 'NextToken must be the nextToken of an earlier answer; this is none.');
  }
  return before;
}

function askedLimit(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) return USUAL_PAGE;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= LONGEST_PAGE) return limit;
  throw new AppError(
    'VALIDATION_ERROR',
    `limit must be a whole number from 1 to ${LONGEST_PAGE}, got "${text.slice(0, 20)}".`,
  );
}

/** `?format=`, for who plays a session in the other format than it was opened in. */
function askedFormat(query: URLSearchParams, { state, airing }: Known): Format {
  const asked = query.get('format');
  if (asked === null) return state.session.format;
  if (asked !== 'hls' && asked !== 'dash') {
    throw new AppError('VALIDATION_ERROR', `format must be hls or dash, got "${asked.slice(0, 20)}".`);
  }
  checkFormat(airing, asked);
  return asked;
}

export function createFeeds(deps: FeedDeps): FeedRoutes {
  async function known(id: string, channelId?: string): Promise<Known> {
    const missing = new AppError('NOT_FOUND', `There is no session ${id}.`);
    const state = await deps.sessions.find(id);
    if (state === undefined || (channelId !== undefined && state.session.channelId !== channelId)) throw missing;
    const { tenant, channelId: ofChannel } = state.session;
    const airing = airingOf(deps.airings.find({ tenant, id: ofChannel }), ofChannel);
    if (airing.life !== state.session.life) throw missing;
    return { state, airing };
  }

  const allow = createAllowance(CONFIRMATIONS_A_MINUTE, deps.now);
  const toldBreaks = createPlayerBreaks(deps.sessions);

  return {
    async confirm(sessionId, { request, response }) {
      if (request.method !== 'POST') {
        response.setHeader('allow', 'POST, OPTIONS');
        throw new AppError('METHOD_NOT_ALLOWED', `Confirmations are sent with POST, not ${request.method}.`);
      }
      allow(sessionId);
      const { state, airing } = await known(sessionId);
      if (airing.channel.confirmations !== true) {
        const text = 'This channel records no confirmations: its field "confirmations" is not true.';
        throw new AppError('CONFLICT', text);
      }
      const body = await readBody(request, LONGEST_CONFIRMATIONS);
      const records = await toldBreaks(state);
      const read = readConfirmations(body, records, deps.now());
      if (typeof read === 'string') throw new AppError('VALIDATION_ERROR', read);
      const recorded = await deps.confirmations.add(sessionId, read.confirmed);
      const repeated = read.confirmed.length - recorded;
      replyJson(request, response, 200, { recorded, repeated, refused: read.refused });
    },
    async tracking(sessionId, asked) {
      const limit = askedLimit(asked.query);
      const session = await known(sessionId);
      const { state, airing } = session;
      const format = askedFormat(asked.query, session);
      const before = await askedToken(asked);
      const records = await toldBreaks(state);
      const page = pageOf(availsOf(airing, state, records, deps.now(), format), before, limit);
      replyJson(asked.request, asked.response, 200, writeFeed(page, feedOf(session, format)));
    },
    async vast(format, channelId, sessionId, adId, { request, response }) {
      const { state, airing } = await known(sessionId, channelId);
      const records = scheduledBreaks(airing, state, await toldBreaks(state));
      const now = deps.now();
      const found =
        adId === undefined
          ? nearestBreak(records, now, depthOf(state, airing, now))
          : records.find(({ ads }) => ads.some((ad) => ad.adId === adId && ad.outcome === 'stitched'));
      const text = found && writePodVast(found, feedOf({ state, airing }, format), adId);
      if (text !== undefined) reply(request, response, 200, 'application/xml; charset=utf-8', text, 'never');
      else if (adId === undefined) replyNothing(response);
      else throw new AppError('NOT_FOUND', `The session has no ad ${adId}.`);
    },
  };
}
