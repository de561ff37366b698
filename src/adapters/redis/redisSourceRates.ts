// SPDX-License-Identifier: Apache-2.0
// The next free slot of each ad source with a rate, in Redis.
import type { SourceRates } from '../../sessions/ports.ts';
import { farthestSlot, slotInterval } from '../../sessions/sourceRates.ts';
import type { RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

export const redisSourceRates = (store: RedisStore): SourceRates => ({
  async reserve(source, limits) {
    const key = `${source.tenant}/${source.id}`;
    const args = [key, slotInterval(source), farthestSlot(source), ...limits];
    const reply = (await store.run(store.parts.of(key), reserveSlots, args)) as readonly Reply[];
    const [clock = 0, first = 0, count = 0] = reply.map(Number);
    return { clock, first, count };
  },
});

/**
 * Arguments: source, microseconds between slots, the farthest slot, limits. @returns the clock, the first slot and the number of
 * slots
 */
const reserveSlots = createScript(
  'reserveSlots',
  `
local key, time = base .. 'rate:' .. ARGV[1], redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local first, count = tonumber(redis.call('GET', key) or now), 0
if first < now or first > now + tonumber(ARGV[3]) then first = now end
for index = 4, #ARGV do
  if tonumber(ARGV[index]) >= first - now then count = count + 1 end
end
local next = string.format('%.0f', first + math.floor(ARGV[2] * count))
if count > 0 then redis.call('SET', key, next, 'PX', math.ceil((next - now) / 1000) + 1) end
return { string.format('%.0f', now), string.format('%.0f', first), count }
`,
);
