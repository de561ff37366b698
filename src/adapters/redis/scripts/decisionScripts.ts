// SPDX-License-Identifier: Apache-2.0
// Scripts for the decisions of linear and live sessions, and for the records of their breaks.
// A stored decision is `<start of the break>:<writer>:<JSON>`. The writer identifies the attempt, so that a call that is repeated
// because its response was lost is still the first.
import { createScript } from './createScript.ts';
import { viewsOf } from './viewsOf.ts';

const parts = `
local function startOf(text) return tonumber(string.match(text, '^(%-?%d+):')) end
local function writerOf(text) return string.match(text, '^%-?%d+:([^:]*):') end
local function bodyOf(text) return string.match(text, '^%-?%d+:[^:]*:(.*)$') end
local function touch(key) redis.call('HSET', key, 'u', string.format('%d', clock())) end
local recent = base .. 'n'
local function noteRecent(id, breakId)
  local now = clock()
  redis.call('ZADD', recent, now, id .. ' ' .. breakId)
  redis.call('ZREMRANGEBYSCORE', recent, '-inf', now - 10000)
  redis.call('PEXPIRE', recent, 20000)
end
local function putRecord(id, breakId, startsAt, label, record)
  redis.call('HSET', recordsKey(id), 'r:' .. breakId, record, labelled(breakId, label))
  redis.call('ZADD', orderKey(id), startsAt, breakId)
end
`;

/**
 * Arguments: session, break, start, decision, label, record, age of records, number of records, whether older ones are kept for the
 * history; folded before, odometer, expected value of `folded before`, breaks to fold.
 * @returns whether this was the first decision, and whether the others were folded (or none was to be folded); nothing for a
 * session that does not exist
 */
export const decide = createScript(
  'decide',
  `${viewsOf}${parts}
local id, breakId, startsAt, decision = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local key = sessionKey(id)
local session = redis.call('HMGET', key, 'l', 'v', 'f')
if not session[1] then return false end
local life, isFeed = session[1], session[2]
local isFirst = redis.call('HSETNX', key, 'd:' .. breakId, decision)
if isFirst == 0 and writerOf(redis.call('HGET', key, 'd:' .. breakId)) == writerOf(decision) then isFirst = 1 end
touch(key)
if isFirst == 1 then noteRecent(id, breakId) end
if redis.call('HEXISTS', recordsKey(id), 'r:' .. breakId) == 0 then
  counted(id, life, breakId, isFeed, function() putRecord(id, breakId, startsAt, ARGV[5], ARGV[6]) end)
end

local isFolded, before = 1, tonumber(ARGV[10])
if #ARGV > 12 then
  local fold, toFold = {}, {}
  for index = 13, #ARGV do toFold[ARGV[index]] = true end
  isFolded = session[3] == ARGV[12] and 1 or 0
  local fields = redis.call('HGETALL', key)
  for index = 1, #fields, 2 do
    if string.sub(fields[index], 1, 2) == 'd:' and startOf(fields[index + 1]) < before then
      -- A decision that the caller does not know is not in its odometer.
      if toFold[string.sub(fields[index], 3)] then fold[#fold + 1] = fields[index] else isFolded = 0 end
    end
  end
  if isFolded == 1 then
    redis.call('HSET', key, 'o', ARGV[11], 'f', ARGV[10])
    for _, field in ipairs(fold) do redis.call('HDEL', key, field) end
    local claims = redis.call('HGETALL', recordsKey(id) .. ':c')
    for index = 1, #claims, 2 do
      local _, claimStart = string.match(claims[index + 1], '^(%d+):(%-?%d+):')
      if claimStart and tonumber(claimStart) < before then
        redis.call('HDEL', recordsKey(id) .. ':c', claims[index])
        redis.call('HDEL', recordsKey(id) .. ':a', claims[index])
      end
    end
  end
end

local old = redis.call('ZRANGEBYSCORE', orderKey(id), '-inf', '(' .. (startsAt - tonumber(ARGV[7])))
for _, name in ipairs(old) do removeRecord(id, life, name, isFeed, ARGV[9] == '1') end
local extra = redis.call('ZRANGE', orderKey(id), 0, -1 - tonumber(ARGV[8]))
for _, name in ipairs(extra) do removeRecord(id, life, name, isFeed, ARGV[9] == '1') end
return { isFirst, isFolded }
`,
);

/**
 * Replaces what is stored for a break. Arguments: session, break, start, decision, label, record.
 * @returns whether the store had not known the decision
 */
export const recordShown = createScript(
  'recordShown',
  `${viewsOf}${parts}
local id, breakId = ARGV[1], ARGV[2]
local key = sessionKey(id)
local session = redis.call('HMGET', key, 'l', 'v')
if not session[1] then return 0 end
local stored = redis.call('HGET', key, 'd:' .. breakId)
local isNew = not stored or bodyOf(stored) ~= bodyOf(ARGV[4])
if isNew then
  redis.call('HSET', key, 'd:' .. breakId, ARGV[4])
  touch(key)
  noteRecent(id, breakId)
end
if redis.call('HGET', recordsKey(id), 'h:' .. breakId) ~= digestIn(ARGV[5]) then
  counted(id, session[1], breakId, session[2], function() putRecord(id, breakId, ARGV[3], ARGV[5], ARGV[6]) end)
end
return isNew and 1 or 0
`,
);

/**
 * Replaces a stored decision, and its record if there is one. Arguments: session, break, decision, label, record.
 * @returns whether the record has changed
 */
export const settle = createScript(
  'settle',
  `${viewsOf}${parts}
local id, breakId = ARGV[1], ARGV[2]
local key = sessionKey(id)
local session = redis.call('HMGET', key, 'l', 'v', 'd:' .. breakId)
if not session[1] then return 0 end
if session[3] and bodyOf(session[3]) ~= bodyOf(ARGV[3]) then
  redis.call('HSET', key, 'd:' .. breakId, ARGV[3])
  touch(key)
end
local digest = redis.call('HGET', recordsKey(id), 'h:' .. breakId)
if ARGV[4] == '' or not digest or digest == digestIn(ARGV[4]) then return 0 end
counted(id, session[1], breakId, session[2], function()
  redis.call('HSET', recordsKey(id), 'r:' .. breakId, ARGV[5], labelled(breakId, ARGV[4]))
end)
return 1
`,
);

/**
 * Arguments: a time of the server. @returns its time now, then the sessions and decisions that were recorded since, and within the
 * last seconds. The write makes the WAIT of this connection cover them.
 */
export const recorded = createScript(
  'recorded',
  `${parts}
local now = clock()
local found = { string.format('%d', now) }
for _, name in ipairs(redis.call('ZRANGEBYSCORE', recent, math.max(tonumber(ARGV[1]), now - 10000), '+inf')) do
  local id, breakId = string.match(name, '^(%S+) (.*)$')
  local decision = redis.call('HGET', sessionKey(id), 'd:' .. breakId)
  if decision then
    found[#found + 1] = id
    found[#found + 1] = decision
  end
end
if #found > 1 then redis.call('PEXPIRE', recent, 20000) end
return found
`,
);

export const findRecord = createScript('findRecord', `return redis.call('HGET', recordsKey(ARGV[1]), 'r:' .. ARGV[2])`);

/** @returns the latest records, newest first */
export const latestRecords = createScript(
  'latestRecords',
  `
local found = {}
for _, name in ipairs(redis.call('ZREVRANGE', orderKey(ARGV[1]), 0, tonumber(ARGV[2]) - 1)) do
  found[#found + 1] = redis.call('HGET', recordsKey(ARGV[1]), 'r:' .. name)
end
return found
`,
);
