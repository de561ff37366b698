// SPDX-License-Identifier: Apache-2.0
// Scripts for claims: `<end of the lease>:<start of the break>:<holder>`, and the ad responses that are kept with them.
import { createScript } from './createScript.ts';

const claims = `
local id, breakId = ARGV[1], ARGV[2]
local claims, responses = recordsKey(id) .. ':c', recordsKey(id) .. ':a'
local claim = redis.call('HGET', claims, breakId)
local untilAt, startsAt, holder
if claim then untilAt, startsAt, holder = string.match(claim, '^(%d+):(%-?%d+):(.*)$') end
`;

/** Arguments: session, break, start, holder, now, end of the lease. @returns nothing, or 1 and the response that is kept */
export const claim = createScript(
  'claim',
  `${claims}
if redis.call('EXISTS', sessionKey(id)) == 0 then return false end
if claim and holder ~= ARGV[4] and tonumber(untilAt) > tonumber(ARGV[5]) then return false end
redis.call('HSET', claims, breakId, ARGV[6] .. ':' .. ARGV[3] .. ':' .. ARGV[4])
return { 1, redis.call('HGET', responses, breakId) }
`,
);

/** Arguments: session, break, holder, end of the lease or empty, response or nothing. */
export const storeResponse = createScript(
  'storeResponse',
  `${claims}
if not claim or holder ~= ARGV[3] then return 0 end
if ARGV[4] ~= '' then redis.call('HSET', claims, breakId, ARGV[4] .. ':' .. startsAt .. ':' .. holder) end
if ARGV[5] then redis.call('HSET', responses, breakId, ARGV[5]) else redis.call('HDEL', responses, breakId) end
return 1
`,
);

/** Arguments: session, break, now. @returns the response, which is removed with the claim */
export const takeResponse = createScript(
  'takeResponse',
  `${claims}
if not claim or tonumber(untilAt) <= tonumber(ARGV[3]) then return false end
local response = redis.call('HGET', responses, breakId)
if not response then return false end
redis.call('HDEL', responses, breakId)
redis.call('HDEL', claims, breakId)
return response
`,
);
