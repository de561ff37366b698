// SPDX-License-Identifier: Apache-2.0
// Searches living and ended sessions.

import { Type } from 'typebox';
import type { ChannelStore } from '../../../channels/ports.ts';
import { fieldError, validationError } from '../../../errors.ts';
import { given, readQuery, rejectQuery } from '../../../http/admin/request/readQuery.ts';
import { readOpenRange, readRange, type TimeRange } from '../../../http/admin/request/readRange.ts';
import { type KeyedRoute, ok } from '../../../http/admin/request/route.ts';
import type { Sent } from '../../../http/contract/matching.ts';
import {
  type FoundSession,
  foundSession,
  type SessionQuery,
  sessionQuery,
} from '../../../http/contract/sessionContract.ts';
import type { BreakFill } from '../../../sessions/history/breakFill.ts';
import type { SessionFilter } from '../../../sessions/history/ports.ts';
import { inserterOf } from '../../../sessions/session.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import type { SearchCursor, SearchedSession, SearchedSessions, SessionSearch } from '../rules/searchSessions.ts';

/** Viewers and clocks do not agree on the second, and breaks start a little before or after the time that people remember. */
const AROUND_MS = 5 * 60_000;
const MAX_MATCHING = 20;

const sum = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((all, one) => all + one, 0) * 1000) / 1000;

/** The cursor as text. In the list of living sessions, 0 stands for its end and 1 for its beginning. */
const writeCursor = ({ living, ended }: SearchCursor): string =>
  Buffer.from(JSON.stringify([living === null ? 0 : (living ?? 1), ended?.openedAt, ended?.id])).toString('base64url');

function readCursor(text: string | undefined): SearchCursor {
  if (text === undefined) return {};
  try {
    const [living, openedAt, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    const isText = typeof living === 'string' && /^\d{1,16}(\.[\w-]{1,128})?$/.test(living);
    if (Number.isSafeInteger(openedAt) && typeof id === 'string' && /^[\w-]{1,128}$/.test(id)) {
      const ended = { openedAt: openedAt as number, id };
      if (isText) return { living, ended };
      if (living === 0) return { living: null, ended };
      if (living === 1) return { ended };
    }
  } catch {}
  const message = 'must be the x-next-cursor of the previous page';
  throw validationError('Invalid query', [fieldError('cursor', '/cursor', message)], 'the query');
}

function rangeOf({ at, ...range }: Pick<SessionQuery, 'from' | 'to' | 'at'>): TimeRange {
  if (at === undefined) return readOpenRange(range);
  if (range.from !== undefined || range.to !== undefined)
    rejectQuery([fieldError('range', '/at', 'must not be combined with from or to')]);
  const around = ({ from: time = millis(0) }: { readonly from?: Millis | undefined }) => ({
    from: millis(time - AROUND_MS),
    to: millis(time + AROUND_MS),
  });
  return readRange({ from: at }, around, Number.POSITIVE_INFINITY, 'at');
}

function parameterOf(text: string | undefined): SessionFilter['parameter'] {
  if (text === undefined) return undefined;
  const at = text.indexOf('=');
  if (at < 1) rejectQuery([fieldError('parameter', '/parameter', `must be name=value; got ${JSON.stringify(text)}`)]);
  return { name: text.slice(0, at), value: text.slice(at + 1) };
}

const showBreak = ({ id, startsAt, duration, status: outcome, reason, filled: adSeconds }: BreakFill) => {
  return { id, startsAt: isoText(millis(startsAt)), duration, outcome, reason, adSeconds };
};

function showSession({ session, seenAt, hasEnded, breaks, matching }: SearchedSession): Sent<FoundSession> {
  const { id, channelId, format, openedAt, parameters, viewer } = session;
  const outcomeCount = (status: BreakFill['status']) => breaks.filter((one) => one.status === status).length;
  const breakSeconds = sum(breaks.map(({ duration }) => duration));
  const adSeconds = sum(breaks.map(({ filled }) => filled));
  return {
    id,
    channel: channelId,
    state: hasEnded ? 'ended' : 'active',
    format,
    openedAt: isoText(openedAt),
    insertion: inserterOf(session),
    lastSeenAt: isoText(seenAt),
    endedAt: hasEnded ? isoText(seenAt) : undefined,
    address: viewer.address,
    userAgent: viewer.userAgent,
    parameters,
    breaks: breaks.length,
    outcomes: { filled: outcomeCount('filled'), partial: outcomeCount('partial'), empty: outcomeCount('empty') },
    ads: { shown: sum(breaks.map(({ shown }) => shown)), skipped: sum(breaks.map(({ skipped }) => skipped)) },
    breakSeconds,
    adSeconds,
    fill: breakSeconds > 0 ? Math.min(1, sum([adSeconds / breakSeconds])) : undefined,
    matching: matching?.slice(-MAX_MATCHING).map(showBreak),
  };
}

/** @param search finds living and ended sessions, newest first */
export const searchRoute = (
  search: (given: SessionSearch) => Promise<SearchedSessions>,
  channels: Pick<ChannelStore, 'labelled'>,
): KeyedRoute => ({
  tag: 'sessions',
  channelAccess: { query: 'channel' },
  method: 'GET',
  path: '/api/v2/sessions',
  operationId: 'searchSessions',
  summary: 'Search sessions, newest first',
  description:
    'Sessions that have ended are kept for `TRACE_RETENTION` days. With `outcome` or `reason`, each session has the breaks that match. A request examines a limited number of sessions, so that a page may have fewer than `limit` sessions, also none: there are more as long as the response has `x-next-cursor`.',
  query: sessionQuery,
  response: ok('A page of sessions.', Type.Array(foundSession), {
    headers: { 'x-next-cursor': 'Cursor of the next page. Absent on the last one.' },
  }),
  errors: [422],
  example: { query: { outcome: 'empty' } },
  handle: async ({ query: raw, caller }) => {
    const { parameter: pair, cursor: place, ...query } = readQuery(sessionQuery, raw);
    const { id, channel, label = [], address, userAgent, outcome, reason, state, limit, ...times } = query;
    const parameter = parameterOf(pair);
    const cursor = readCursor(place);
    const channelIds = label.length === 0 ? undefined : await channels.labelled(caller.tenant, label);
    if (channelIds?.length === 0) return { status: 200, json: [] };
    const filter: SessionFilter = {
      tenant: caller.tenant,
      ...rangeOf(times),
      ...given({ idPrefix: id, channelId: channel, channelIds, parameter, address, userAgent }),
      ...(outcome === undefined && !reason ? {} : { breaks: given({ status: outcome, reason }) }),
    };
    const { items, next } = await search({ filter, limit, cursor, ...(state === undefined ? {} : { state }) });
    const headers: Record<string, string> = next === undefined ? {} : { 'x-next-cursor': writeCursor(next) };
    return { status: 200, headers, json: items.map(showSession) };
  },
});
