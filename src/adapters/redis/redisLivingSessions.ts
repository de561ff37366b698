// SPDX-License-Identifier: Apache-2.0
// Lists sessions in Redis for searches, newest first, merged from all parts. From each part, few are read at once: together they are
// enough for a page.

import { channelKey } from '../../channels/channelKey.ts';
import { groupBy } from '../../invariant.ts';
import { type BreakFill, readFill } from '../../sessions/history/breakFill.ts';
import { mergeNewest } from '../../sessions/history/mergeNewest.ts';
import type { FoundSession, LivingSessions, Place, Slice } from '../../sessions/history/ports.ts';
import type { OwnedChannel } from '../../sessions/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { millis } from '../../time/units.ts';
import type { Part } from './parts.ts';
import type { Argument, RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

const LEAST_PER_PART = 4;
/** Parts have about the same number of sessions. Some of a page have a few more. */
const SHARE = 1 / 32;

/** A session whose body was not read was seen too early. */
type Listed = { readonly place: Place; readonly found?: FoundSession };

const writePlace = ({ openedAt, id }: Place): string => `${openedAt}.${id}`;
function readPlace(text: string): Place {
  const dot = text.indexOf('.');
  return { openedAt: Number(text.slice(0, dot)), id: text.slice(dot + 1) };
}

function readListed([id = '', openedAt, seenAt, body = '']: readonly string[]): Listed {
  const place = { id, openedAt: Number(openedAt) };
  if (body === '') return { place };
  const session = JSON.parse(body) as Session;
  return { place, found: { session, seenAt: millis(Number(seenAt)), hasEnded: false } };
}

const placeOf = ({ place }: Listed): Place => place;

/** @param channelsOf all channels of a tenant */
export function redisLivingSessions(
  store: RedisStore,
  channelsOf: (tenant: string) => Promise<readonly OwnedChannel[]>,
): LivingSessions {
  const { parts } = store;

  async function newestIn(part: Part, args: readonly Argument[]): Promise<Slice<Listed, Place>> {
    const [hasMore, ...rest] = (await store.run(part, newestLiving, args)) as readonly Reply[];
    const values = rest.map(String);
    const items = Array.from({ length: values.length / 4 }, (_, index) =>
      readListed(values.slice(4 * index, 4 * index + 4)),
    );
    const last = items.at(-1);
    return hasMore === 1 && last !== undefined ? { items, until: placeOf(last) } : { items };
  }

  return {
    async find(id) {
      const [body, seenAt] = ((await store.run(parts.of(id), findLiving, [id])) as readonly Reply[]).map(String);
      if (body === undefined) return undefined;
      return { session: JSON.parse(body) as Session, seenAt: millis(Number(seenAt)), hasEnded: false };
    },
    async newest({ tenant, channelIds, from }, after, limit) {
      const channels = channelIds?.map((id) => ({ id, tenant })) ?? (await channelsOf(tenant));
      if (channels.length === 0) return { items: [] };
      const { openedAt, id } = after === undefined ? { openedAt: '+inf', id: '' } : readPlace(after);
      const most = Math.max(LEAST_PER_PART, Math.ceil(limit * SHARE));
      const args = [most, from, openedAt, id, ...channels.map(channelKey)];
      const slices = await Promise.all(parts.all.map((part) => newestIn(part, args)));
      const { items, until } = mergeNewest(slices, placeOf, limit);
      return {
        items: items.flatMap(({ place, found }) => (found === undefined ? [] : [{ ...found, at: writePlace(place) }])),
        ...(until === undefined ? {} : { until: { at: writePlace(until), place: until } }),
      };
    },
    async fills(ids) {
      const found = new Map<string, BreakFill[]>();
      await Promise.all(
        [...groupBy(ids, parts.of)].map(async ([part, own]) => {
          const replies = (await store.run(part, livingFills, own)) as readonly (readonly Reply[])[];
          const fills = replies.map((reply) => reply.flatMap((fill) => readFill(String(fill)) ?? []));
          for (const [index, id] of own.entries()) found.set(id, fills[index] ?? []);
        }),
      );
      return found;
    },
  };
}

// Scripts that list living sessions for searches.

/** @returns body and last seen, or nothing */
const findLiving = createScript(
  'findLiving',
  `
local id = ARGV[1]
local found = redis.call('HMGET', sessionKey(id), 'b', 'z')
if not found[1] then return {} end
return { found[1], redis.call('ZSCORE', base .. 'seen', id) or found[2] or '0' }
`,
);

/**
 * Arguments: the most sessions; the earliest time at which they were seen; opened at and id of the last one before; channels.
 * @returns for each, newest first, when it was opened and seen, and its body; first, whether there may be more
 */
const newestLiving = createScript(
  'newestLiving',
  `
local most, from, openedAt, after = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4]
local found = {}
for index = 5, #ARGV do
  local skipped, count = 0, 0
  while count < most do
    local some = redis.call('ZREVRANGEBYSCORE', base .. 'o:' .. ARGV[index], openedAt, '-inf', 'WITHSCORES', 'LIMIT', skipped, most)
    if #some == 0 then break end
    for at = 1, #some, 2 do
      local id, score = some[at], tonumber(some[at + 1])
      if openedAt == '+inf' or score < tonumber(openedAt) or id < after then
        found[#found + 1] = { id, score }
        count = count + 1
      end
    end
    skipped = skipped + most
  end
end
table.sort(found, function(one, other)
  if one[2] ~= other[2] then return one[2] > other[2] end
  return one[1] > other[1]
end)
local page = { #found > most and 1 or 0 }
for index = 1, math.min(most, #found) do
  local id, opened = found[index][1], found[index][2]
  local session = redis.call('HMGET', sessionKey(id), 'b', 'z')
  local seenAt = redis.call('ZSCORE', base .. 'seen', id) or session[2] or '0'
  local isRead = session[1] and tonumber(seenAt) >= from
  for _, value in ipairs({ id, string.format('%.0f', opened), string.format('%.0f', tonumber(seenAt)), isRead and session[1] or '' }) do
    page[#page + 1] = value
  end
end
return page
`,
);

/** @returns for each session how each of its breaks was filled */
const livingFills = createScript(
  'livingFills',
  `
local found = {}
for index = 1, #ARGV do
  local one = {}
  for _, breakId in ipairs(redis.call('ZRANGE', orderKey(ARGV[index]), 0, -1)) do
    one[#one + 1] = redis.call('HGET', recordsKey(ARGV[index]), 'm:' .. breakId)
  end
  found[index] = one
end
return found
`,
);
