// SPDX-License-Identifier: Apache-2.0
// Finds sessions, living and ended ones in one list, newest first. A search examines a limited number of sessions and returns
// where to continue, so that its cost does not grow with the number of sessions.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BreakFill } from '../../../sessions/history/breakFill.ts';
import { mergeNewest } from '../../../sessions/history/mergeNewest.ts';
import type {
  FoundSession,
  LivingPlace,
  LivingSessions,
  PastSession,
  Place,
  SessionFilter,
  SessionHistory,
  Slice,
} from '../../../sessions/history/ports.ts';

/**
 * Where to continue. Absent: from the beginning. `living` is for the session store, and `null` at the end of its list. `ended`
 * applies to the history also if that was read to its end: a living session that was not returned yet may end meanwhile.
 */
export type SearchCursor = { readonly living?: string | null; readonly ended?: Place };

export type SessionSearch = {
  readonly filter: SessionFilter;
  readonly state?: 'active' | 'ended';
  readonly cursor?: SearchCursor;
  readonly limit: number;
};

/** `breaks`: all of them; `matching`: those that the search was for, if it was for breaks. Both in order. */
export type SearchedSession = FoundSession & {
  readonly breaks: readonly BreakFill[];
  readonly matching?: readonly BreakFill[];
};
export type SearchedSessions = { readonly items: readonly SearchedSession[]; readonly next?: SearchCursor };

type Stores = { readonly living: LivingSessions; readonly history: Pick<SessionHistory, 'search' | 'fills'> };
type Found = FoundSession & { readonly at?: string };
type Fills = ReadonlyMap<string, readonly BreakFill[]>;

/** Living sessions that are read at once, and how often. */
const LIVING_PER_READ = 500;
const LIVING_READS = 20;
/** How often the history is searched; each time, it examines some thousand sessions. */
const HISTORY_SEARCHES = 5;
const UUID_LENGTH = 36;

const placeOf = ({ session: { id, openedAt } }: FoundSession): Place => ({ id, openedAt });

async function fillsOf({ living, history }: Stores, ids: readonly string[]): Promise<Fills> {
  const [kept, past] = await Promise.all([living.fills(ids), history.fills(ids)]);
  return new Map(
    ids.map((id) => {
      const byId = new Map([...(past.get(id) ?? []), ...(kept.get(id) ?? [])].map((fill) => [fill.id, fill]));
      return [id, [...byId.values()].sort((one, other) => one.startsAt - other.startsAt)];
    }),
  );
}

async function searchLiving(
  stores: Stores,
  filter: SessionFilter,
  first: string | undefined,
  limit: number,
): Promise<Slice<Found, LivingPlace>> {
  const { tenant, channelId, channelIds, from, idPrefix, breaks } = filter;
  async function matching(read: readonly Found[]): Promise<readonly Found[]> {
    const found = read.filter((one) => one.session.tenant === tenant && matchesSession(one, filter));
    if (breaks === undefined || found.length === 0) return found;
    const ids = found.map(({ session }) => session.id);
    const fills = await fillsOf(stores, ids);
    return found.filter(({ session }) => fills.get(session.id)?.some((fill) => matchesBreak(fill, session, filter)));
  }
  if (idPrefix?.length === UUID_LENGTH) {
    const one = await stores.living.find(idPrefix);
    return { items: one === undefined || first !== undefined ? [] : await matching([one]) };
  }
  const only = channelId === undefined ? channelIds : [channelId];
  const of = { tenant, from, ...(only && { channelIds: only }) };
  const items: Found[] = [];
  let until: LivingPlace | undefined;
  for (let reads = 0; reads < LIVING_READS && items.length < limit; reads += 1) {
    const read = await stores.living.newest(of, until?.at ?? first, LIVING_PER_READ);
    items.push(...(await matching(read.items)));
    until = read.until;
    if (until === undefined) return { items };
    await nextTurn();
  }
  return { items, ...(until && { until }) };
}

async function searchEnded(
  { history }: Stores,
  filter: SessionFilter,
  first: Place | undefined,
  limit: number,
): Promise<Slice<Found, Place>> {
  const items: Found[] = [];
  let until = first;
  for (let searches = 0; searches < HISTORY_SEARCHES && items.length < limit; searches += 1) {
    const slice = await history.search(filter, until, limit - items.length);
    items.push(...slice.items);
    until = slice.until;
    if (until === undefined) return { items };
  }
  return { items, ...(until && { until }) };
}

/** @returns where to continue in the session store behind what was taken of it */
function livingCursor(
  { items, until }: Slice<Found, LivingPlace>,
  taken: number,
  before: SearchCursor['living'],
): Pick<SearchCursor, 'living'> {
  if (taken === items.length) return { living: until?.at ?? null };
  const last = taken === 0 ? before : items[taken - 1]?.at;
  return last === undefined ? {} : { living: last };
}

export async function searchSessions(stores: Stores, search: SessionSearch): Promise<SearchedSessions> {
  const { filter, state, cursor = {}, limit } = search;
  const nothing = { items: [] as readonly Found[] };
  const [living, ended] = await Promise.all([
    state === 'ended' || cursor.living === null
      ? (nothing as Slice<Found, LivingPlace>)
      : searchLiving(stores, filter, cursor.living, limit),
    state === 'active' ? (nothing as Slice<Found, Place>) : searchEnded(stores, filter, cursor.ended, limit),
  ]);
  const lists = [
    living.until === undefined ? { items: living.items } : { ...living, until: living.until.place },
    ended,
  ];
  const { items, taken, until } = mergeNewest(lists, placeOf, limit);
  const ids = items.map(({ session }) => session.id);
  const fills = await fillsOf(stores, ids);
  const next = until && { ...livingCursor(living, taken[0] ?? 0, cursor.living), ended: until };
  const seen = new Set<string>();
  const once = items.filter(({ session: { id } }) => !seen.has(id) && seen.add(id));
  return {
    items: once.map(({ session, seenAt, hasEnded }) => {
      const breaks = fills.get(session.id) ?? [];
      const matching = breaks.filter((fill) => matchesBreak(fill, session, filter));
      return { session, seenAt, hasEnded, breaks, ...(filter.breaks === undefined ? {} : { matching }) };
    }),
    ...(next === undefined ? {} : { next }),
  };
}

// Whether a session matches a search. For sessions in the session store; the history does the same in SQL.

function matchesSession({ session, seenAt }: FoundSession, filter: SessionFilter): boolean {
  const { id, channelId, openedAt, parameters, viewer } = session;
  const { parameter, userAgent, address, idPrefix } = filter;
  return (
    openedAt < filter.to &&
    seenAt >= filter.from &&
    (filter.channelId === undefined || channelId === filter.channelId) &&
    (filter.channelIds?.includes(channelId) ?? true) &&
    (idPrefix === undefined || id.startsWith(idPrefix)) &&
    (parameter === undefined ||
      (Object.hasOwn(parameters, parameter.name) && parameters[parameter.name] === parameter.value)) &&
    (address === undefined || viewer.address === address) &&
    (userAgent === undefined || viewer.userAgent.toLowerCase().includes(userAgent.toLowerCase()))
  );
}

/** Whether the break is one that a search for breaks finds. A break without a position counts from the start of its session. */
function matchesBreak(fill: BreakFill, { openedAt }: PastSession, filter: SessionFilter): boolean {
  const startsAt = fill.startsAt || openedAt;
  const { status, reason } = filter.breaks ?? {};
  return (
    startsAt >= filter.from &&
    startsAt < filter.to &&
    (status === undefined || fill.status === status) &&
    (reason === undefined || fill.reason === reason)
  );
}
