// SPDX-License-Identifier: Apache-2.0
// The routes that inform players about their ads: the tracking feed, confirmations, and VAST of the next break.
import { AppError } from '../../errors.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { type ConfirmationStore, readConfirmations } from '../../tracking/feed/confirmations.ts';
import { writeFeed } from '../../tracking/feed/feed.ts';
import { pageOf, readToken } from '../../tracking/feed/feedPage.ts';
import { writePodVast } from '../../tracking/feed/podVast.ts';
import { checkFormat } from './checkFormat.ts';
import { createPerMinuteLimit } from './perMinuteLimit.ts';
import type { PlayerDeps, PlayerRequest } from './playerRequest.ts';
import { readBody } from './readBody.ts';
import { reply, replyJson, replyNothing } from './reply.ts';
import type { FeedRoutes } from './routes.ts';
import { createSessionFeeds, type SessionFeed } from './sessionFeed.ts';

export type FeedDeps = PlayerDeps & { readonly sessions: SessionStore; readonly confirmations: ConfirmationStore };

/** Avails per page. */
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 60;
const MAX_BODY_BYTES = 4096;
/** Room for a hundred events with the additional fields that players send. */
const MAX_CONFIRMATIONS_BYTES = 32_768;
const CONFIRMATIONS_PER_MINUTE = 60;

type Format = Session['format'];

/** From `?NextToken=`, `?nextToken=`, or a field with one of these names in the body of a POST. */
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
  if (before === undefined) {
    throw new AppError(
      'VALIDATION_ERROR',
      `NextToken must be the nextToken of an earlier response; got ${JSON.stringify(token).slice(0, 60)}.`,
    );
  }
  return before;
}

function readLimit(query: URLSearchParams): number | undefined {
  const text = query.get('limit');
  if (text === null) return undefined;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new AppError(
    'VALIDATION_ERROR',
    `limit must be an integer from 1 to ${MAX_LIMIT}; got "${text.slice(0, 20)}".`,
  );
}

/** `?format=`, for players that play a session in another format than it was opened in. */
function readFormat(query: URLSearchParams, { session, shown }: SessionFeed): Format {
  const format = query.get('format');
  if (format === null) return session.format;
  if (format !== 'hls' && format !== 'dash') {
    throw new AppError('VALIDATION_ERROR', `format must be "hls" or "dash"; got "${format.slice(0, 20)}".`);
  }
  checkFormat(shown, format);
  return format;
}

export function createFeeds(deps: FeedDeps): FeedRoutes {
  const countConfirmation = createPerMinuteLimit(
    CONFIRMATIONS_PER_MINUTE,
    deps.now,
    `Limit of ${CONFIRMATIONS_PER_MINUTE} confirmation requests per minute and session exceeded.`,
  );
  const feedOf = createSessionFeeds(deps);

  return {
    async confirm(sessionId, { request, response }) {
      if (request.method !== 'POST') {
        response.setHeader('allow', 'POST, OPTIONS');
        throw new AppError('METHOD_NOT_ALLOWED', `Method ${request.method} not allowed. Use POST.`);
      }
      countConfirmation(sessionId);
      const { channel, records } = await feedOf(sessionId);
      if (channel.confirmations !== true) {
        const text = 'Confirmations are disabled for this channel. Set its field "confirmations" to true.';
        throw new AppError('CONFLICT', text);
      }
      const body = await readBody(request, MAX_CONFIRMATIONS_BYTES);
      const read = readConfirmations(body, await records(), deps.now());
      if (typeof read === 'string') throw new AppError('VALIDATION_ERROR', read);
      const recorded = await deps.confirmations.add(sessionId, read.confirmed);
      const repeated = read.confirmed.length - recorded;
      replyJson(request, response, 200, { recorded, repeated, refused: read.refused });
    },
    async tracking(sessionId, incoming) {
      const limit = readLimit(incoming.query);
      const feed = await feedOf(sessionId);
      const format = readFormat(incoming.query, feed);
      const before = await readNextToken(incoming);
      const avails = feed.avails(await feed.records(), format);
      const page = pageOf(avails, before, limit ?? (feed.isWhole ? avails.length : DEFAULT_LIMIT));
      replyJson(incoming.request, incoming.response, 200, writeFeed(page, feed.options(format)));
    },
    async vast(format, channelId, sessionId, adId, { request, response }) {
      const feed = await feedOf(sessionId, channelId);
      const all = await feed.records();
      const found =
        adId === undefined
          ? feed.near(all)
          : all.filter(({ ads }) => ads.some((ad) => ad.adId === adId && ad.outcome === 'stitched'));
      const text = writePodVast(found, feed.options(format), adId);
      if (text !== undefined) reply(request, response, 200, 'application/xml; charset=utf-8', text, 'never');
      else if (adId === undefined) replyNothing(response);
      else throw new AppError('NOT_FOUND', `Ad "${adId}" not found in this session.`);
    },
  };
}
