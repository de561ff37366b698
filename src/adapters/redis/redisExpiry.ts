// SPDX-License-Identifier: Apache-2.0
// Removes expired sessions from Redis, part by part.

import { channelKey, channelOfKey } from '../../channels/channelKey.ts';
import type { EndedSession, OwnedChannel, SessionStore, VodExpiry } from '../../sessions/ports.ts';
import { LAST_SEEN_SETTLED_MS, MAX_OVERTIME_MS } from '../../sessions/sessionRules.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { Part } from './parts.ts';
import { type Argument, pairsOf, type RedisStore } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';
import { viewsOf } from './scripts/viewsOf.ts';

/** Channels that are switched off, or were switched on again at `since` or later: their sessions could not request anything. */
export type OffChannels = (since: Millis) => Promise<readonly OwnedChannel[]>;

/** Sessions removed in one script: other calls to the node wait for it. */
const MAX_EXPIRED_AT_ONCE = 100;
/**
 * Expiry is called every 15 s. After a shorter outage, what is watched is stored soon enough: the least SESSION_TTL is a minute.
 */
const GAP_MS = 20_000;
/** Sessions of a part that may wait for the history. Beyond, sessions are removed without, so that memory stays bounded. */
const MAX_ENDED = 2000;
const KEEP_ALL: VodExpiry = { now: millis(0), unwatchedBefore: millis(0) };

export function redisExpiry(store: RedisStore, offChannels: OffChannels, keepsTraces: boolean): SessionStore['expire'] {
  async function expirePart(part: Part, args: readonly Argument[]): Promise<EndedSession[]> {
    const ended: EndedSession[] = [];
    for (;;) {
      const removed = pairsOf(await store.run(part, expire, [MAX_EXPIRED_AT_ONCE, ...args]));
      for (const [key, seenAt] of removed) {
        const { id: channelId, tenant } = channelOfKey(key);
        ended.push({ channelId, tenant, seenAt: millis(Number(seenAt)) });
      }
      if (removed.length < MAX_EXPIRED_AT_ONCE) return ended;
    }
  }

  return async (before, unwatchedBefore = before, vod = KEEP_ALL) => {
    const [off, offUnwatched] = await Promise.all([offChannels(before), offChannels(unwatchedBefore)]);
    const args = [
      ...[before, unwatchedBefore, vod.unwatchedBefore, vod.now, MAX_OVERTIME_MS],
      ...[LAST_SEEN_SETTLED_MS, GAP_MS],
      ...[keepsTraces ? MAX_ENDED : 0, Math.max(before, vod.now), off.length],
      ...off.map(channelKey),
      ...offUnwatched.map(channelKey),
    ];
    const results = await Promise.allSettled(store.parts.all.map((part) => expirePart(part, args)));
    const ended = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = results.find((result) => result.status === 'rejected');
    // What was removed is counted, even if other parts do not respond.
    if (failed !== undefined && ended.length === 0) throw failed.reason;
    return ended;
  };
}

// Removes expired sessions of a part with everything that belongs to them, or sets aside what the history keeps.

const removal = `${viewsOf}
local removed, most, capacity, keptFrom = {}, tonumber(ARGV[1]), tonumber(ARGV[9]), ARGV[10]
local function remove(id)
  local found = redis.call('HMGET', sessionKey(id), 'c', 'l', 'v', 'z')
  local seenAt = redis.call('ZSCORE', base .. 'seen', id) or found[4] or '0'
  local isKept = found[1] and capacity > 0 and redis.call('ZCARD', base .. 'ended') < capacity
  if found[1] then
    for _, breakId in ipairs(redis.call('ZRANGE', orderKey(id), 0, -1)) do
      removeRecord(id, found[2], breakId, found[3], isKept)
    end
    redis.call('ZREM', base .. 'o:' .. found[1], id)
    redis.call('ZREM', base .. 'w:' .. found[1], id)
    removed[#removed + 1] = found[1]
    removed[#removed + 1] = string.format('%.0f', tonumber(seenAt))
  end
  local records = recordsKey(id)
  if isKept then
    redis.call('HSET', endedKey(id), 'b', redis.call('HGET', sessionKey(id), 'b'), 'z', string.format('%.0f', tonumber(seenAt)), 'k', keptFrom)
    redis.call('ZADD', base .. 'ended', keptFrom, id)
    redis.call('HDEL', records, 'p', 'pw')
  else
    redis.call('DEL', records, eventsKey(id))
  end
  redis.call('SREM', base .. 'aside', id)
  redis.call('DEL', sessionKey(id), records .. ':c', records .. ':a', orderKey(id))
  for _, list in ipairs({ 'seen', 'new', 'kept' }) do redis.call('ZREM', base .. list, id) end
end
-- Removes the sessions of a list that are below a score and expired, as many as are allowed at once.
local function removeBelow(list, score, isExpired)
  local skipped = 0
  while #removed < 2 * most do
    local ids = redis.call('ZRANGEBYSCORE', base .. list, '-inf', '(' .. score, 'LIMIT', skipped, 100)
    if #ids == 0 then return end
    for _, id in ipairs(ids) do
      if #removed < 2 * most and isExpired(id) then remove(id) else skipped = skipped + 1 end
    end
  end
end
`;

/**
 * While the store is unavailable or accepts no writes, nodes cannot store which sessions are watched. So what expires then, and until
 * they have stored it, is what was not watched any more when the trouble began. A trouble shows as a gap between two calls of this
 * script, or as a write that fails; `heard` keeps the last call that could write, and the begin and the end of the last trouble.
 */
const troubleLimit = `
local function troubleLimit(settled, gap)
  local now = clock()
  local found = redis.call('HMGET', base .. 'heard', 'at', 'from', 'over')
  local at, from, over = tonumber(found[1] or now), tonumber(found[2] or 0), tonumber(found[3] or 0)
  local began = at
  if at - over < settled then began = from end
  if now - at > gap then from, over = began, now end
  local written = redis.pcall('HSET', base .. 'heard', 'at', now, 'from', from, 'over', over)
  if type(written) == 'table' and written.err then return began - settled end
  if now - over < settled then return from - settled end
end
`;

/**
 * Arguments: the most sessions to remove at once; the limits `before`, `unwatchedBefore`, and of VoD `unwatchedBefore`, `now` and
 * the longest overtime; after a trouble, the milliseconds until all nodes have stored what is watched, and the gap between two
 * calls that is one; how many ended sessions may wait for the history, 0 if none is kept, and from when they are kept; a number
 * n, and n channels that were off since `before`, then those that were off since `unwatchedBefore`.
 * @returns for each removed session its channel and when it was last seen
 */
const expire = createScript(
  'expire',
  `${removal}${troubleLimit}
local before, unwatchedBefore, vodUnwatchedBefore, vodNow, overtime =
  tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local limit = troubleLimit(tonumber(ARGV[7]), tonumber(ARGV[8]))
if limit then
  before, unwatchedBefore = math.min(before, limit), math.min(unwatchedBefore, limit)
  vodUnwatchedBefore, vodNow = math.min(vodUnwatchedBefore, limit), math.min(vodNow, limit)
end
local off, offUnwatched, count = {}, {}, tonumber(ARGV[11])
for index = 12, #ARGV do
  if index < 12 + count then off[ARGV[index]] = true else offUnwatched[ARGV[index]] = true end
end
local function field(id, name) return redis.call('HGET', sessionKey(id), name) end
removeBelow('seen', before, function(id) return not off[field(id, 'c') or ''] end)
removeBelow('kept', vodNow, function(id)
  local found = redis.call('HMGET', sessionKey(id), 'z', 'k')
  return not found[1] or tonumber(found[1]) < before or tonumber(found[2]) < vodNow - overtime
end)
removeBelow('new', math.max(unwatchedBefore, vodUnwatchedBefore), function(id)
  local openedAt = tonumber(redis.call('ZSCORE', base .. 'new', id))
  if field(id, 'k') then return openedAt < vodUnwatchedBefore end
  return openedAt < unwatchedBefore and not offUnwatched[field(id, 'c') or '']
end)
return removed
`,
);
