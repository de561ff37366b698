// SPDX-License-Identifier: Apache-2.0
// Scripts for what waits for the history: ended sessions (`x:<id>`: body, last seen, kept from; listed in `ended`) with all of their
// records, and old records of living sessions (listed in `aside`).
import { createScript } from './createScript.ts';

/**
 * Arguments: the most sessions.
 * @returns for each its id, and of ended ones body, last seen and kept from; then breaks and records in turn
 */
export const takeAside = createScript(
  'takeAside',
  `
local taken, most = {}, tonumber(ARGV[1])
local function take(id, ...)
  local one = { id, ... }
  local fields = redis.call('HGETALL', recordsKey(id))
  for index = 1, #fields, 2 do
    if string.sub(fields[index], 1, 2) == 'o:' then
      one[#one + 1] = string.sub(fields[index], 3)
      one[#one + 1] = fields[index + 1]
    end
  end
  taken[#taken + 1] = one
end
for _, id in ipairs(redis.call('ZRANGE', base .. 'ended', 0, most - 1)) do
  local found = redis.call('HMGET', endedKey(id), 'b', 'z', 'k')
  take(id, found[1] or '', found[2] or '', found[3] or '')
end
for _, id in ipairs(redis.call('SRANDMEMBER', base .. 'aside', most)) do
  if #taken < most then take(id, redis.call('HGET', sessionKey(id), 'b') or '', '', '') end
end
return taken
`,
);

/** Arguments: for each session its id, how many breaks were taken, and these. Removes them, and ended sessions as a whole. */
export const forgetAside = createScript(
  'forgetAside',
  `
local index = 1
while index <= #ARGV do
  local id, count = ARGV[index], tonumber(ARGV[index + 1])
  if redis.call('EXISTS', endedKey(id)) == 1 then
    redis.call('DEL', endedKey(id), recordsKey(id), eventsKey(id))
    redis.call('ZREM', base .. 'ended', id)
  else
    for offset = 2, count + 1 do redis.call('HDEL', recordsKey(id), 'o:' .. ARGV[index + offset]) end
    local isLeft = false
    for _, name in ipairs(redis.call('HKEYS', recordsKey(id))) do isLeft = isLeft or string.sub(name, 1, 2) == 'o:' end
    if not isLeft then redis.call('SREM', base .. 'aside', id) end
  end
  index = index + 2 + count
end
`,
);
