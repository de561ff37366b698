// SPDX-License-Identifier: Apache-2.0
// Scripts that list living sessions for searches.
import { createScript } from './createScript.ts';

/** @returns body and last seen, or nothing */
export const findLiving = createScript(
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
export const newestLiving = createScript(
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

/** @returns for each session its breaks: how each was filled, or its record if that is not stored apart */
export const livingFills = createScript(
  'livingFills',
  `
local found = {}
for index = 1, #ARGV do
  local one, records = {}, recordsKey(ARGV[index])
  for _, breakId in ipairs(redis.call('ZRANGE', orderKey(ARGV[index]), 0, -1)) do
    local fill = redis.call('HGET', records, 'm:' .. breakId)
    if fill then
      one[#one + 1] = 'm'
      one[#one + 1] = fill
    else
      one[#one + 1] = 'r'
      one[#one + 1] = redis.call('HGET', records, 'r:' .. breakId)
    end
  end
  found[index] = one
end
return found
`,
);
