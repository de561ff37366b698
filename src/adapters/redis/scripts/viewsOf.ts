// SPDX-License-Identifier: Apache-2.0
// Lua that counts the viewers of breaks (BreakViewers): for each life a hash with the number of sessions whose ads were decided
// (`d:<break>`) and of those that got ads (`a:<break>`). A break of a feed has sections; a session counts once for all of them.
import { createHash } from 'node:crypto';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import { hasAds } from '../../../sessions/sessionRules.ts';

/**
 * The records of a session: `r:<break>` a record, `h:<break>` whether it has ads and its digest, `m:<break>` how the break was
 * filled (labelOf), `o:<break>` a record that waits for the history and is not counted any more.
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
local function labelled(breakId, label)
  local digest, fill = string.match(label, '^([^\\n]*)\\n(.*)$')
  return 'h:' .. breakId, digest, 'm:' .. breakId, fill
end
local function digestIn(label) return string.match(label, '^[^\\n]*') end
local function removeRecord(id, life, breakId, isFeed, isKept)
  counted(id, life, breakId, isFeed, function()
    local records = recordsKey(id)
    local record = isKept and redis.call('HGET', records, 'r:' .. breakId)
    redis.call('HDEL', records, 'r:' .. breakId, 'h:' .. breakId, 'm:' .. breakId)
    redis.call('ZREM', orderKey(id), breakId)
    if record then
      redis.call('HSET', records, 'o:' .. breakId, record)
      redis.call('SADD', base .. 'aside', id)
    end
  end)
end
`;

/** Whether viewers got ads (`1` or `0`), then what identifies the record: versions may compress the same record differently. */
const digestOf = (record: BreakRecord): string =>
  (hasAds(record) ? '1' : '0') + createHash('sha1').update(JSON.stringify(record)).digest('base64url').slice(0, 16);

/** The digest of a record and, on the next line, how its break was filled. */
export const labelOf = (record: BreakRecord): string => `${digestOf(record)}\n${storedFill(record)}`;
