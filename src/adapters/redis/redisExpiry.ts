// SPDX-License-Identifier: Apache-2.0
// Removes expired sessions from Redis, part by part.
import type { EndedSession, OwnedChannel, SessionStore, VodExpiry } from '../../sessions/ports.ts';
import { LAST_SEEN_SETTLED_MS, MAX_OVERTIME_MS } from '../../sessions/retention.ts';
import { type Millis, millis } from '../../time/units.ts';
import { channelKey, readChannelKey } from './channelKey.ts';
import type { Part } from './parts.ts';
import type { Argument, RedisStore, Reply } from './redisStore.ts';
import { expire } from './scripts/expiryScripts.ts';

/** Channels that are switched off, or were switched on again at `since` or later: their sessions could not request anything. */
export type OffChannels = (since: Millis) => Promise<readonly OwnedChannel[]>;

/** Sessions removed in one script: other calls to the node wait for it. */
const MAX_EXPIRED_AT_ONCE = 100;
/**
 * Expiry is called every 15 s. After a shorter outage, what is watched is stored soon enough: the least SESSION_TTL is a minute.
 */
const GAP_MS = 20_000;
/** Sessions of a part that may wait for the history. Beyond, sessions are removed without, so that memory stays bounded. */
const MAX_ENDED = 2000;
const KEEP_ALL: VodExpiry = { now: millis(0), unwatchedBefore: millis(0) };

export function redisExpiry(store: RedisStore, offChannels: OffChannels, keepsTraces: boolean): SessionStore['expire'] {
  async function expirePart(part: Part, args: readonly Argument[]): Promise<EndedSession[]> {
    const ended: EndedSession[] = [];
    for (;;) {
      const removed = (await store.run(part, expire, [MAX_EXPIRED_AT_ONCE, ...args])) as readonly Reply[];
      for (let index = 0; index < removed.length; index += 2) {
        const { id: channelId, tenant } = readChannelKey(String(removed[index]));
        ended.push({ channelId, tenant, seenAt: millis(Number(String(removed[index + 1]))) });
      }
      if (removed.length < 2 * MAX_EXPIRED_AT_ONCE) return ended;
    }
  }

  return async (before, unwatchedBefore = before, vod = KEEP_ALL) => {
    const [off, offUnwatched] = await Promise.all([offChannels(before), offChannels(unwatchedBefore)]);
    const args = [
      ...[before, unwatchedBefore, vod.unwatchedBefore, vod.now, MAX_OVERTIME_MS],
      ...[LAST_SEEN_SETTLED_MS, GAP_MS],
      ...[keepsTraces ? MAX_ENDED : 0, Math.max(before, vod.now), off.length],
      ...off.map(channelKey),
      ...offUnwatched.map(channelKey),
    ];
    const results = await Promise.allSettled(store.parts.all.map((part) => expirePart(part, args)));
    const ended = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const failed = results.find((result) => result.status === 'rejected');
    // What was removed is counted, even if other parts do not respond.
    if (failed !== undefined && ended.length === 0) throw failed.reason;
    return ended;
  };
}
