// SPDX-License-Identifier: Apache-2.0
// Counts the viewers of breaks of live feeds and of schedules, from numbers that scripts keep with the records.
import type { BreakViewers } from '../../sessions/ports.ts';
import type { RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

export function redisBreakViewers(store: RedisStore): BreakViewers {
  return async (life, breakIds) => {
    if (breakIds.length === 0) return new Map();
    const replies = (await Promise.all(
      store.parts.all.map((part) => store.run(part, countViews, [life, ...breakIds])),
    )) as readonly (readonly Reply[])[];
    const total = (index: number) => replies.reduce((sum, reply) => sum + Number(reply[index]), 0);
    const counts = breakIds.map((id, index) => ({ id, decided: total(2 * index), withAds: total(2 * index + 1) }));
    return new Map(counts.flatMap(({ id, ...count }) => (count.decided === 0 ? [] : [[id, count] as const])));
  };
}

/** Arguments: life, breaks. @returns for each break the number of viewers, and of those with ads */
const countViews = createScript(
  'countViews',
  `
local counts = {}
for index = 2, #ARGV do
  counts[#counts + 1] = tonumber(redis.call('HGET', base .. 'v:' .. ARGV[1], 'd:' .. ARGV[index]) or '0')
  counts[#counts + 1] = tonumber(redis.call('HGET', base .. 'v:' .. ARGV[1], 'a:' .. ARGV[index]) or '0')
end
return counts
`,
);
