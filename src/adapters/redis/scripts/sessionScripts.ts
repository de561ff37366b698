// SPDX-License-Identifier: Apache-2.0
// Scripts for sessions: a hash with what the viewer's manifests need, and the lists of the part in which the session appears.
import { createScript } from './createScript.ts';

/**
 * Fields of a session: `b` body, `o` odometer, `f` folded before, `w` watched, `k` kept until (VoD), `z` last seen (VoD),
 * `c` channel, `l` life, `v` whether its breaks are those of a feed, `u` when a decision was last written, by the clock of the
 * server; `d:<break>` a decision.
 */
export const create = createScript(
  'create',
  `
local id, channel, openedAt, keepUntil = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
redis.call('HSET', sessionKey(id), 'b', ARGV[5], 'o', ARGV[6], 'f', '0', 'w', '0', 'c', channel, 'l', ARGV[7], 'v', ARGV[8])
if keepUntil == '' then
  redis.call('ZADD', base .. 'seen', openedAt, id)
else
  redis.call('HSET', sessionKey(id), 'k', keepUntil, 'z', openedAt)
  redis.call('ZADD', base .. 'kept', keepUntil, id)
end
redis.call('ZADD', base .. 'new', openedAt, id)
redis.call('ZADD', base .. 'o:' .. channel, openedAt, id)
`,
);

/**
 * Another node may have written the newest decision just now. Its write is repeated, so that the WAIT of this connection covers it:
 * what one node has returned is on a replica, whichever node has written it.
 */
export const find = createScript(
  'find',
  `
local key = sessionKey(ARGV[1])
local fields = redis.call('HGETALL', key)
for index = 1, #fields, 2 do
  if fields[index] == 'u' then
    if clock() - tonumber(fields[index + 1]) < tonumber(ARGV[2]) then redis.call('HSET', key, 'u', fields[index + 1]) end
  end
end
return fields
`,
);

export const seen = createScript(
  'seen',
  `
local at, count = ARGV[1], 0
for index = 2, #ARGV do
  local id = ARGV[index]
  local found = redis.call('HMGET', sessionKey(id), 'c', 'k', 'w')
  if found[1] then
    count = count + 1
    if found[3] ~= '1' then
      redis.call('HSET', sessionKey(id), 'w', '1')
      redis.call('ZREM', base .. 'new', id)
    end
    if found[2] then redis.call('HSET', sessionKey(id), 'z', at)
    else redis.call('ZADD', base .. 'seen', at, id) end
    redis.call('ZADD', base .. 'w:' .. found[1], at, id)
  end
end
return count
`,
);

/** @returns for each channel how many of its sessions were seen since then */
export const watching = createScript(
  'watching',
  `
local counts = {}
for index = 2, #ARGV do counts[index - 1] = redis.call('ZCOUNT', base .. 'w:' .. ARGV[index], ARGV[1], '+inf') end
return counts
`,
);
