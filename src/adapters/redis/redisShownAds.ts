// SPDX-License-Identifier: Apache-2.0
// What viewers were shown, for frequency caps, in Redis: a key for each viewer, which expires by itself.
import type { ShownAdsStore, ViewerKey } from '../../sessions/ports.ts';
import type { RedisStore, Reply } from './redisStore.ts';
import { createScript } from './scripts/createScript.ts';

/** Tenant names contain no slash. */
const nameOf = ({ tenant, key }: ViewerKey): string => `${tenant}/${key}`;

export function redisShownAds(store: RedisStore): ShownAdsStore {
  const partOf = ({ key }: ViewerKey) => store.parts.of(key);
  return {
    async read(viewer) {
      const [text, version] = (await store.run(partOf(viewer), readShown, [nameOf(viewer)])) as readonly Reply[];
      return text == null ? undefined : { text: String(text), version: Number(String(version)) };
    },
    write: async (viewer, text, version, keepUntil) =>
      (await store.run(partOf(viewer), writeShown, [nameOf(viewer), text, version, keepUntil])) === 1,
    expire: () => Promise.resolve(false),
  };
}

// Fields of a key: `t` text, `v` version, `k` kept until.

const readShown = createScript('readShown', `return redis.call('HMGET', base .. 'a:' .. ARGV[1], 't', 'v')`);

/**
 * Arguments: viewer, text, version, kept until. The first version is a time that no version of an expired key has reached.
 * @returns whether the version was the stored one
 */
const writeShown = createScript(
  'writeShown',
  `
local key = base .. 'a:' .. ARGV[1]
local found = redis.call('HMGET', key, 'v', 'k')
if (found[1] or '0') ~= ARGV[3] then return 0 end
local keepUntil = string.format('%.0f', math.max(tonumber(found[2] or 0), tonumber(ARGV[4])))
redis.call('HINCRBY', key, 'v', found[1] and 1 or keepUntil)
redis.call('HSET', key, 't', ARGV[2], 'k', keepUntil)
redis.call('PEXPIREAT', key, keepUntil)
return 1
`,
);
