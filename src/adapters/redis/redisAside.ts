// SPDX-License-Identifier: Apache-2.0
// What the session store in Redis has set aside for the history, part by part.

import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import type { AsideStore, Batch, Ended, SetAside } from '../../sessions/history/ports.ts';
import type { Session } from '../../sessions/session.ts';
import { startOfRecord } from '../../sessions/sessionRules.ts';
import { millis } from '../../time/units.ts';
import { unpack } from '../packJson.ts';
import type { Part } from './parts.ts';
import type { Argument, RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

/** Sessions taken from a part at once, each with 60 records at most. */
const SESSIONS_PER_PART = 10;
/** Parts that are read together. */
const PARTS_AT_ONCE = 8;

type Taken = { readonly ended?: Ended; readonly breaks: readonly SetAside[]; readonly forget: readonly Argument[] };

async function readTaken(reply: readonly Reply[]): Promise<Taken> {
  const [id = '', body = '', seenAt = '', keptFrom = ''] = reply.slice(0, 4).map(String);
  const records = reply.slice(4);
  const breakIds = records.flatMap((breakId, index) => (index % 2 === 0 ? [String(breakId)] : []));
  const forget = [id, breakIds.length, ...breakIds];
  if (body === '') return { breaks: [], forget };
  const session = JSON.parse(body) as Session;
  const unpacked = await Promise.all(breakIds.map((_, at) => unpack<BreakRecord>(records[2 * at + 1] as Buffer)));
  const breaks = unpacked.map((record) => ({
    sessionId: id,
    tenant: session.tenant,
    channelId: session.channelId,
    record,
    keptFrom: millis(keptFrom === '' ? startOfRecord(record) : Number(keptFrom)),
  }));
  if (keptFrom === '') return { breaks, forget };
  const ended = { session, seenAt: millis(Number(seenAt)), keptFrom: millis(Number(keptFrom)) };
  return { ended, breaks, forget };
}

export function redisAside(store: RedisStore): AsideStore {
  const { all } = store.parts;
  let next = 0;

  async function takeFrom(part: Part): Promise<{ part: Part; taken: readonly Taken[] }> {
    const replies = (await store.run(part, takeAside, [SESSIONS_PER_PART])) as readonly (readonly Reply[])[];
    return { part, taken: await Promise.all(replies.map(readTaken)) };
  }

  return {
    async take(): Promise<Batch | undefined> {
      for (let read = 0; read < all.length; read += PARTS_AT_ONCE) {
        const parts = [...all, ...all].slice(next, next + PARTS_AT_ONCE);
        const found = (await Promise.all(parts.map(takeFrom))).filter(({ taken }) => taken.length > 0);
        if (found.length === 0) {
          next = (next + PARTS_AT_ONCE) % all.length;
          continue;
        }
        const taken = found.flatMap((one) => one.taken);
        return {
          sessions: taken.flatMap(({ ended }) => ended ?? []),
          breaks: taken.flatMap(({ breaks }) => breaks),
          done: async () => {
            await Promise.all(
              found.map((one) =>
                store.run(
                  one.part,
                  forgetAside,
                  one.taken.flatMap(({ forget }) => forget),
                ),
              ),
            );
          },
        };
      }
      return undefined;
    },
  };
}

// Scripts for what waits for the history: ended sessions (`x:<id>`: body, last seen, kept from; listed in `ended`) with all of their
// records, and old records of living sessions (listed in `aside`).

/**
 * Arguments: the most sessions.
 * @returns for each its id, and of ended ones body, last seen and kept from; then breaks and records in turn
 */
const takeAside = createScript(
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
const forgetAside = createScript(
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
