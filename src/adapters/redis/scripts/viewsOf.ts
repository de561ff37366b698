// SPDX-License-Identifier: Apache-2.0
// Lua that counts the viewers of breaks (BreakViewers): for each life a hash with the number of sessions whose ads were decided
// (`d:<break>`) and of those that got ads (`a:<break>`). A break of a feed has sections; a session counts once for all of them.

/**
 * Call `before` ahead of a change of a session's records and `after` behind it.
 * The records of a session: `r:<break>` a record, `h:<break>` whether it has ads and its digest.
 */
export const viewsOf = `
local function viewsOf(id, breakId, isFeed)
  local records = recordsKey(id)
  local function hasAds(name) return string.sub(redis.call('HGET', records, 'h:' .. name) or '', 1, 1) end
  if isFeed ~= '1' then
    local flag = hasAds(breakId)
    return breakId, flag ~= '' and 1 or 0, flag == '1' and 1 or 0
  end
  local name = string.gsub(breakId, '%-%d$', '')
  local decided, withAds = 0, 0
  for section = 0, 7 do
    local flag = hasAds(name .. '-' .. section)
    if flag ~= '' then decided = 1 end
    if flag == '1' then withAds = 1 end
  end
  return name, decided, withAds
end
local function addViews(life, field, change)
  if change == 0 then return end
  local key = base .. 'v:' .. life
  if redis.call('HINCRBY', key, field, change) <= 0 then redis.call('HDEL', key, field) end
end
local function counted(id, life, breakId, isFeed, change)
  local _, decidedBefore, adsBefore = viewsOf(id, breakId, isFeed)
  change()
  local name, decided, withAds = viewsOf(id, breakId, isFeed)
  addViews(life, 'd:' .. name, decided - decidedBefore)
  addViews(life, 'a:' .. name, withAds - adsBefore)
end
local function removeRecord(id, life, breakId, isFeed)
  counted(id, life, breakId, isFeed, function()
    redis.call('HDEL', recordsKey(id), 'r:' .. breakId, 'h:' .. breakId)
    redis.call('ZREM', orderKey(id), breakId)
  end)
end
`;
