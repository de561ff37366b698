// SPDX-License-Identifier: Apache-2.0
// What VoD sessions show, in Redis, with the records of all breaks.
import { randomUUID } from 'node:crypto';
import type { FrozenStore } from '../../sessions/ports.ts';
import { startOfRecord } from '../../sessions/sessionRules.ts';
import type { Frozen } from '../../vod/layOut.ts';
import { pack, unpack } from '../packJson.ts';
import type { RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';
import { labelOf, viewsOf } from './scripts/viewsOf.ts';

export function redisFrozen(store: RedisStore): FrozenStore {
  const { parts } = store;
  async function read(sessionId: string): Promise<Frozen | undefined> {
    const reply: Reply = await store.run(parts.of(sessionId), findFrozen, [sessionId]);
    return reply === null ? undefined : unpack<Frozen>(reply as Buffer);
  }
  return {
    findFrozen: read,
    async freeze(sessionId, frozen, records) {
      const rows = await Promise.all(
        records.map(async (record) => [record.id, startOfRecord(record), labelOf(record), await pack(record)]),
      );
      const args = [sessionId, await pack(frozen), frozen.writer ?? randomUUID(), ...rows.flat()];
      const outcome = await store.run(parts.of(sessionId), freeze, args);
      if (outcome === 1) return { frozen, isFirst: true };
      const first = outcome === 0 ? await read(sessionId) : undefined;
      return first && { frozen: first, isFirst: false };
    },
  };
}

/**
 * Arguments: session, presentation, writer, then for each record its break, start, label and body.
 * @returns 1 if this was the first presentation, 0 if there was another one, -1 if the session does not exist
 */
const freeze = createScript(
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

const findFrozen = createScript('findFrozen', `return redis.call('HGET', recordsKey(ARGV[1]), 'p')`);
