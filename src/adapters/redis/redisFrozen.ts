// SPDX-License-Identifier: Apache-2.0
// What VoD sessions show, in Redis, with the records of all breaks.
import { randomUUID } from 'node:crypto';
import type { FrozenStore } from '../../sessions/ports.ts';
import { startOfRecord } from '../../sessions/sessionRules.ts';
import type { Frozen } from '../../vod/layOut.ts';
import { pack, unpack } from '../packJson.ts';
import { labelOf } from './recordBody.ts';
import type { RedisStore, Reply } from './redisStore.ts';
import { findFrozen, freeze } from './scripts/vodScripts.ts';

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
