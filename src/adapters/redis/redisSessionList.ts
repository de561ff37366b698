// SPDX-License-Identifier: Apache-2.0
// Lists the sessions of a channel, newest first, from all parts. Each part has its own order, so the first pages are merged from
// the newest of each part. For a later page, that would read all sessions before it. Instead, the time at which it begins is found
// by counting, and each part is read from there: no page reads much more than its own sessions.

import { channelKey } from '../../channels/channelKey.ts';
import { groupBy } from '../../invariant.ts';
import type { SessionStore } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import type { Part } from './parts.ts';
import { pairsOf, type RedisStore, type Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

type Entry = { readonly part: Part; readonly id: string; readonly openedAt: number };

/** Where a page begins: after the sessions that were opened later than a time. */
type Start = { readonly skipped: readonly number[]; readonly total: number };

const NEWEST: Start = { skipped: [], total: 0 };
/** Up to here, sessions before a page are read. */
const MAX_READ_BEFORE = 400;

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
const isFound = (reply: Reply | undefined): boolean => reply !== null && reply !== undefined;

export function redisSessionList(store: RedisStore): SessionStore['list'] {
  const { all } = store.parts;

  async function sizeOf(key: string): Promise<{ total: number; oldest: number; latest: number }> {
    const replies = (await Promise.all(all.map((part) => store.run(part, openedBetween, [key])))) as Reply[][];
    const times = (index: number) => replies.flatMap((reply) => (isFound(reply[index]) ? [Number(reply[index])] : []));
    return {
      total: sumOf(replies.map(([count]) => Number(count))),
      oldest: Math.min(...times(1)),
      latest: Math.max(...times(2)),
    };
  }

  const countAfter = async (key: string, time: number): Promise<Start> => {
    const skipped = await Promise.all(all.map(async (part) => Number(await store.run(part, openedAfter, [key, time]))));
    return { skipped, total: sumOf(skipped) };
  };

  /** @returns the sessions opened after the earliest time for which they are at most as many as `offset` */
  async function startOf(key: string, offset: number, oldest: number, latest: number): Promise<Start> {
    let [low, high] = [oldest, latest];
    let start = await countAfter(key, high);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const counted = await countAfter(key, middle);
      if (counted.total > offset) low = middle + 1;
      else [high, start] = [middle, counted];
    }
    return start;
  }

  async function entriesOf(key: string, { skipped }: Start, count: number): Promise<Entry[]> {
    const pages = await Promise.all(
      all.map(async (part, index) => {
        const found = pairsOf(await store.run(part, newest, [key, skipped[index] ?? 0, count]));
        return found.map(([id, openedAt]) => ({ part, id, openedAt: Number(openedAt) }));
      }),
    );
    return pages.flat().sort((one, other) => other.openedAt - one.openedAt || (one.id < other.id ? 1 : -1));
  }

  async function sessionsOf(page: readonly Entry[]): Promise<Session[]> {
    const found = new Map<string, Session>();
    const read = async ([part, entries]: [Part, readonly Entry[]]) => {
      const ids = entries.map(({ id }) => id);
      const replies = (await store.run(part, bodies, ids)) as readonly Reply[];
      for (const [index, id] of ids.entries()) {
        const body = replies[index];
        if (body !== undefined && isFound(body)) found.set(id, JSON.parse(String(body)) as Session);
      }
    };
    await Promise.all([...groupBy(page, ({ part }) => part)].map(read));
    return page.flatMap(({ id }) => found.get(id) ?? []);
  }

  return async (channel, { offset, limit }) => {
    const key = channelKey(channel);
    const isNear = offset <= MAX_READ_BEFORE;
    const [size, near] = await Promise.all([sizeOf(key), isNear ? entriesOf(key, NEWEST, offset + limit) : []]);
    const { total, oldest, latest } = size;
    if (offset >= total) return { total, items: [] };
    const start = isNear ? NEWEST : await startOf(key, offset, oldest, latest);
    const from = offset - start.total;
    const entries = isNear ? near : await entriesOf(key, start, from + limit);
    return { total, items: await sessionsOf(entries.slice(from, from + limit)) };
  };
}

/**
 * Arguments: channel, how many of its newest sessions to skip, and to return.
 * @returns their ids with the times at which they were opened, newest first
 */
const newest = createScript(
  'newest',
  `
local first = tonumber(ARGV[2])
return redis.call('ZREVRANGE', base .. 'o:' .. ARGV[1], first, first + tonumber(ARGV[3]) - 1, 'WITHSCORES')
`,
);

/** Arguments: channel. @returns the number of its sessions, and when the oldest and the newest one were opened, if there are any */
const openedBetween = createScript(
  'openedBetween',
  `
local key = base .. 'o:' .. ARGV[1]
local oldest, newest = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES'), redis.call('ZREVRANGE', key, 0, 0, 'WITHSCORES')
return { redis.call('ZCARD', key), oldest[2] or false, newest[2] or false }
`,
);

/** Arguments: channel, time. @returns how many of its sessions were opened after it */
const openedAfter = createScript(
  'openedAfter',
  `return redis.call('ZCOUNT', base .. 'o:' .. ARGV[1], '(' .. ARGV[2], '+inf')`,
);

const bodies = createScript(
  'bodies',
  `
local found = {}
for index = 1, #ARGV do found[index] = redis.call('HGET', sessionKey(ARGV[index]), 'b') end
return found
`,
);
