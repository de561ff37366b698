// SPDX-License-Identifier: Apache-2.0
// The routes that inform players about their ads: the tracking feed, confirmations, and VAST of the next break.
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import { playerBreaksOf } from '../../playback/decide/playerBreaks.ts';
import type { Airing } from '../../playback/onAir/airing.ts';
import { availsOf, scheduledBreaks } from '../../playback/view/availsOf.ts';
import { depthOf } from '../../playback/view/view.ts';
import { airingFor, checkFormat, type FilmViewing } from '../../playback/viewings.ts';
import type { SessionState } from '../../sessions/ports.ts';
import type { OnAirSession, Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Servable } from '../../timeline/ladder/formatFault.ts';
import { type ConfirmationStore, readConfirmations } from '../../tracking/feed/confirmations.ts';
import { type Avail, type FeedOptions, pageOf, readToken, writeTrackingFeed } from '../../tracking/feed/feed.ts';
import { nearestBreak, writePodVast } from '../../tracking/feed/podVast.ts';
import type { Presentation } from '../../vod/layOut.ts';
import { createPerMinuteLimit } from './openingLimits.ts';
import { type PlayerDeps, type PlayerRequest, readBody, requirePost } from './playerRequest.ts';
import { reply, replyJson, replyNothing } from './reply.ts';

export type FeedDeps = Pick<PlayerDeps, 'sessions' | 'airings' | 'vod' | 'now'> & {
  readonly confirmations: ConfirmationStore;
};

export type FeedRoutes = ReturnType<typeof createFeeds>;

/** Avails per page. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 60;
const MAX_BODY_BYTES = 4096;
/** Room for a hundred events with the additional fields that players send. */
const MAX_CONFIRMATIONS_BYTES = 32_768;
const CONFIRMATIONS_PER_MINUTE = 60;

type Format = Session['format'];
/** The parts of the path of a session. */
type SessionParts = readonly [format: Format, channelId: string, sessionId: string, ...string[]];

const invalid = (message: string) => new AppError('VALIDATION_ERROR', message);

/** Reads `?NextToken=`, `?nextToken=`, or a field with one of these names in the body of a POST. */
async function readNextToken({ request, query }: PlayerRequest): Promise<number | undefined> {
  const body = request.method === 'POST' ? await readBody(request, MAX_BODY_BYTES) : undefined;
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new AppError(
      'MALFORMED',
      `The body must be an object such as {"NextToken": "…"}; got ${JSON.stringify(body).slice(0, 60)}.`,
    );
  }
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const token = query.get('NextToken') ?? query.get('nextToken') ?? fields.NextToken ?? fields.nextToken;
  if (token === undefined || token === null || token === '') return undefined;
  const before = typeof token === 'string' ? readToken(token) : undefined;
  if (before !== undefined) return before;
  throw invalid(`NextToken must be the nextToken of an earlier response; got ${JSON.stringify(token).slice(0, 60)}.`);
}

function readLimit(query: URLSearchParams): number | undefined {
  const text = query.get('limit');
  if (text === null) return undefined;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw invalid(`limit must be an integer from 1 to ${MAX_LIMIT}; got "${text.slice(0, 20)}".`);
}

/** `?format=`, for players that play a session in another format than it was opened in. */
function readFormat(query: URLSearchParams, { session, shown }: SessionFeed): Format {
  const format = query.get('format');
  if (format === null) return session.format;
  if (format !== 'hls' && format !== 'dash')
    throw invalid(`format must be "hls" or "dash"; got "${format.slice(0, 20)}".`);
  checkFormat(shown, format);
  return format;
}

export function createFeeds(deps: FeedDeps) {
  const countConfirmation = createPerMinuteLimit(
    CONFIRMATIONS_PER_MINUTE,
    deps.now,
    `Limit of ${CONFIRMATIONS_PER_MINUTE} confirmation requests per minute and session exceeded.`,
  );
  const feedOf = createSessionFeeds(deps);

  return {
    async confirm(sessionId: string, { request, response }: PlayerRequest): Promise<void> {
      requirePost(request, response);
      countConfirmation(sessionId);
      const { channel, records } = await feedOf(sessionId);
      if (channel.confirmations !== true) {
        const text = 'Confirmations are disabled for this channel. Set its field "confirmations" to true.';
        throw new AppError('CONFLICT', text);
      }
      const body = await readBody(request, MAX_CONFIRMATIONS_BYTES);
      const read = readConfirmations(body, await records(), deps.now());
      if (typeof read === 'string') throw invalid(read);
      const recorded = await deps.confirmations.add(sessionId, read.confirmed);
      const repeated = read.confirmed.length - recorded;
      replyJson(request, response, 200, { recorded, repeated, refused: read.refused });
    },
    async tracking(sessionId: string, incoming: PlayerRequest): Promise<void> {
      const limit = readLimit(incoming.query);
      const feed = await feedOf(sessionId);
      const format = readFormat(incoming.query, feed);
      const before = await readNextToken(incoming);
      const avails = feed.avails(await feed.records(), format);
      const page = pageOf(avails, before, limit ?? (feed.isWhole ? avails.length : DEFAULT_LIMIT));
      replyJson(incoming.request, incoming.response, 200, writeTrackingFeed(page, feed.options(format)));
    },
    async vast(parts: SessionParts, adId: string | undefined, { request, response }: PlayerRequest): Promise<void> {
      const [format, channelId, sessionId] = parts;
      const feed = await feedOf(sessionId, channelId);
      const all = await feed.records();
      const found =
        adId === undefined
          ? feed.near(all)
          : all.filter(({ ads }) => ads.some((ad) => ad.adId === adId && ad.outcome === 'stitched'));
      const text = writePodVast(found, feed.options(format), adId);
      if (text !== undefined)
        reply(request, response, { type: 'application/xml; charset=utf-8', body: text, cache: 'never' });
      else if (adId === undefined) replyNothing(response);
      else
        throw new AppError(
          'NOT_FOUND',
          `Ad "${adId}" not found in this session. Request the tracking feed for current ads.`,
        );
    },
  };
}

// What the feeds read of a session, whatever its kind is.

type SessionFeed = {
  readonly session: Session;
  readonly channel: Channel;
  readonly shown: Servable;
  /** The records of the session's breaks, oldest first. */
  readonly records: () => Promise<readonly BreakRecord[]>;
  readonly avails: (records: readonly BreakRecord[], format: Format) => Avail[];
  /** The breaks among the records that VAST without an ad's id lists. */
  readonly near: (records: readonly BreakRecord[]) => readonly BreakRecord[];
  /** The zero of the times in the feed, which depends on the format, and which side sends beacons. */
  readonly options: (format: Format) => FeedOptions;
  /** VoD: the first page contains all breaks. */
  readonly isWhole: boolean;
};

type PlayerBreaks = ReturnType<typeof playerBreaksOf>['read'];

/** @param session that of the state, as the store has it */
function onAirFeed(
  session: OnAirSession,
  state: SessionState,
  airing: Airing,
  playerBreaks: PlayerBreaks,
  now: () => Millis,
): SessionFeed {
  const { channel, programme } = airing;
  const { tracking } = channel;
  return {
    session,
    channel,
    shown: airing,
    isWhole: false,
    records: async () => scheduledBreaks(airing, state, await playerBreaks(state)),
    avails: (records, format) => availsOf(airing, state, records, now(), format),
    near(records) {
      const edge = programme.edgeAt(now());
      const found = nearestBreak(records, edge, depthOf(session, airing, edge));
      return found === undefined ? [] : [found];
    },
    options(format) {
      if (format === 'dash') {
        const availabilityStart = millis(programme.startedAt + programme.lag);
        return { tracking, zero: programme.startedAt, availabilityStart };
      }
      const { zero } = session;
      return zero === undefined
        ? { tracking, zero: session.openedAt }
        : { tracking, zero: zero.at, anchor: zero.number };
    },
  };
}

/** Ids of breaks are those of manifests: in HLS media sequence numbers, in DASH ids of Periods. */
export function filmFeed(
  { viewer: { session, title }, channel }: FilmViewing,
  { breaks, spans }: Presentation,
  playerBreaks: PlayerBreaks,
): SessionFeed {
  const decisions = breaks.map(({ id, streamTime }) => ({ breakId: id, startsAt: streamTime }));
  const { tracking } = channel;
  const zero = session.openedAt;
  return {
    session,
    channel,
    shown: title,
    isWhole: true,
    records: () => playerBreaks({ session, decisions }),
    avails: (records, format) =>
      records.flatMap((record): Avail[] => {
        const first = spans.find(({ within }) => within?.id === record.id);
        return first === undefined ? [] : [{ availId: format === 'hls' ? String(first.numbers[0]) : first.id, record }];
      }),
    near: (records) => records,
    options: (format) => (format === 'hls' ? { tracking, zero, anchor: 0 } : { tracking, zero }),
  };
}

/** @returns a function that finds the feed of a session; `channelId` must be its channel if it is given */
function createSessionFeeds({ sessions, airings, vod, now }: FeedDeps) {
  const playerBreaks = playerBreaksOf(sessions).read;
  return async (id: string, channelId?: string): Promise<SessionFeed> => {
    const missing = new AppError('NOT_FOUND', `Session "${id}" not found.`);
    const state = await sessions.find(id);
    if (state === undefined || (channelId !== undefined && state.session.channelId !== channelId)) throw missing;
    const { session } = state;
    const enabled = airings.find({ tenant: session.tenant, id: session.channelId });
    if (enabled?.channel.type === 'vod') {
      const viewer = await vod.presentations.find(id, state);
      if (viewer === undefined) throw missing;
      const viewing: FilmViewing = { kind: 'film', channel: enabled.channel, viewer };
      // Waits until the ads of the session are decided.
      return filmFeed(viewing, await vod.presentations.settled(viewing.channel, viewer), playerBreaks);
    }
    const airing = airingFor(enabled, session);
    if (session.kind === 'film' || airing === undefined) throw missing;
    return onAirFeed(session, state, airing, playerBreaks, now);
  };
}
