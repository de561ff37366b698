// SPDX-License-Identifier: Apache-2.0
// The tracking events that players report, in Redis: once each, as long as their session and the record of their break exist.
import { millis } from '../../time/units.ts';
import type { Confirmation, ConfirmationStore } from '../../tracking/feed/confirmations.ts';
import { pairsOf, type RedisStore } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

const nameOf = ({ breakId, adId, event }: Confirmation): string => `${breakId}\n${adId}\n${event}`;

function readOne([name, value]: readonly [string, string]): Confirmation {
  const [breakId, adId, event] = name.split('\n') as [string, string, string];
  const [at, playerAt] = JSON.parse(value) as [number, number | null];
  return { breakId, adId, event, at: millis(at), ...(playerAt === null ? {} : { playerAt: millis(playerAt) }) };
}

/** The order of the database: by time, then by ad and event. */
const inOrder = (one: Confirmation, other: Confirmation): number =>
  one.at - other.at || (one.adId + one.event < other.adId + other.event ? -1 : 1);

export function redisConfirmations(store: RedisStore): ConfirmationStore {
  const { parts } = store;
  return {
    async add(sessionId, confirmations) {
      if (confirmations.length === 0) return 0;
      const rows = confirmations.flatMap((one) => [
        ...[one.breakId, nameOf(one), JSON.stringify([one.at, one.playerAt ?? null])],
      ]);
      return Number(await store.run(parts.of(sessionId), confirm, [sessionId, ...rows]));
    },
    async ofSession(sessionId) {
      const reply = await store.run(parts.of(sessionId), confirmed, [sessionId]);
      return pairsOf(reply).map(readOne).sort(inOrder);
    },
  };
}

/**
 * Arguments: session, then for each event its break, name and value. Events of breaks without a record are discarded.
 * @returns how many were new
 */
const confirm = createScript(
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

const confirmed = createScript('confirmed', `return redis.call('HGETALL', eventsKey(ARGV[1]))`);
