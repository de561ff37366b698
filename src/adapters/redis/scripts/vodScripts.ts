// SPDX-License-Identifier: Apache-2.0
// Scripts for what VoD sessions show, and for the events that players confirm.
import { createScript } from './createScript.ts';
import { viewsOf } from './viewsOf.ts';

/**
 * Arguments: session, presentation, writer, then for each record its break, start, label and body.
 * @returns 1 if this was the first presentation, 0 if there was another one, -1 if the session does not exist
 */
export const freeze = createScript(
  'freeze',
  `${viewsOf}
local id = ARGV[1]
if redis.call('EXISTS', sessionKey(id)) == 0 then return -1 end
local records = recordsKey(id)
if redis.call('HEXISTS', records, 'p') == 1 then return redis.call('HGET', records, 'pw') == ARGV[3] and 1 or 0 end
redis.call('HSET', records, 'p', ARGV[2], 'pw', ARGV[3])
for index = 4, #ARGV, 4 do
  if redis.call('HSETNX', records, 'r:' .. ARGV[index], ARGV[index + 3]) == 1 then
    redis.call('HSET', records, labelled(ARGV[index], ARGV[index + 2]))
    redis.call('ZADD', orderKey(id), ARGV[index + 1], ARGV[index])
  end
end
-- The records contain the ad responses. Claims stay, so that no process requests them again.
redis.call('DEL', records .. ':a')
return 1
`,
);

export const findFrozen = createScript('findFrozen', `return redis.call('HGET', recordsKey(ARGV[1]), 'p')`);

/**
 * Arguments: session, then for each event its break, name and value. Events of breaks without a record are discarded.
 * @returns how many were new
 */
export const confirm = createScript(
  'confirm',
  `
local id, count = ARGV[1], 0
if redis.call('EXISTS', sessionKey(id)) == 0 then return 0 end
for index = 2, #ARGV, 3 do
  if redis.call('ZSCORE', orderKey(id), ARGV[index]) then
    count = count + redis.call('HSETNX', eventsKey(id), ARGV[index + 1], ARGV[index + 2])
  end
end
for _, field in ipairs(redis.call('HKEYS', eventsKey(id))) do
  local breakId = string.match(field, '^[^\\n]*')
  local isAside = redis.call('HEXISTS', recordsKey(id), 'o:' .. breakId) == 1
  if not isAside and not redis.call('ZSCORE', orderKey(id), breakId) then redis.call('HDEL', eventsKey(id), field) end
end
return count
`,
);

export const confirmed = createScript('confirmed', `return redis.call('HGETALL', eventsKey(ARGV[1]))`);
