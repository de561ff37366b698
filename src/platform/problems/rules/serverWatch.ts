// SPDX-License-Identifier: Apache-2.0
// Watches the ad servers of the channels that this process serves, and shares which of them fail. Signs are counted in memory,
// so that a break never waits for it; what has changed is stored once a second, by whichever process notices it first.
// While the store is unavailable, changes wait.
import { LRUCache } from 'lru-cache';
import { withoutUndefined } from '../../../invariant.ts';
import type { AdServerFailure, AdServerSign } from '../../../playback/request/observeAdRequests.ts';
import { isoText, type Millis, millis } from '../../../time/units.ts';
import type { FailingServer, FailingServers, ServerKey } from './ports.ts';
import { FORGOTTEN_MS, failureText, isFailing, nextHealth, RECOVERS_MS, type ServerHealth } from './serverHealth.ts';

type Deps = {
  readonly store: FailingServers;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** How often it is stored that a server still fails. */
const REFRESH_MS = 10_000;
/** Servers with a failure that are remembered: URLs of wrappers may contain any number of hosts. */
const MAX_WATCHED = 10_000;
const MAX_HOSTS = 1000;
/** Of these, at most so many are stored: of all channels, and of one. */
const MAX_FAILING = 5000;
const MAX_WRAPPERS = 5;

const nameOf = ({ tenant, channel, asked, adServer }: ServerKey): string =>
  JSON.stringify(asked === 'source' ? [tenant, channel] : [tenant, channel, adServer]);
const factsOf = ({ tenant, channel, adServer }: ServerKey, since: Millis | undefined) =>
  withoutUndefined({ tenant, channel, adServer, since: since && isoText(since) });

export function createServerWatch({ store, now, log }: Deps) {
  const watched = new LRUCache<string, { readonly key: ServerKey; readonly health: ServerHealth }>({
    max: MAX_WATCHED,
  });
  const lastFailures = new LRUCache<string, AdServerFailure>({ max: MAX_HOSTS });
  /** As all nodes know them. */
  const failing = new Map<string, FailingServer>();
  const changed = new Set<string>();
  const recovered = new Map<string, { readonly key: ServerKey; readonly at: Millis }>();

  /** Requests may be suspended because of the failures of another channel's requests. */
  function explained(health: ServerHealth): ServerHealth {
    if (health.failure.error !== 'resting') lastFailures.set(health.adServer, health.failure);
    return { ...health, failure: lastFailures.get(health.adServer) ?? health.failure };
  }

  function hasRoom({ asked, tenant, channel }: ServerKey): boolean {
    if (failing.size >= MAX_FAILING) return false;
    if (asked === 'source') return true;
    let wrappers = 0;
    for (const one of failing.values())
      if (one.asked === asked && one.channel === channel && one.tenant === tenant) wrappers += 1;
    return wrappers < MAX_WRAPPERS;
  }

  async function storeFailing(name: string): Promise<void> {
    const known = watched.peek(name);
    if (known !== undefined && (failing.has(name) || hasRoom(known.key))) {
      const { adServer, since, lastAt, failure } = known.health;
      const one: FailingServer = { ...known.key, adServer, since, lastAt, failure };
      const isFirst = await store.put(one);
      failing.set(name, one);
      if (isFirst) log('an ad server fails on a channel', { ...factsOf(one, since), reason: failureText(failure) });
    }
    changed.delete(name);
  }

  async function storeRecovered(name: string, key: ServerKey, at: Millis): Promise<void> {
    const isRemoved = await store.remove(key, millis(at - RECOVERS_MS));
    recovered.delete(name);
    const since = failing.get(name)?.since;
    if (!isRemoved) return;
    failing.delete(name);
    log('an ad server works again on a channel', factsOf(key, since));
  }

  return {
    sign(sign: AdServerSign): void {
      const { tenant, channel, asked, adServer, at } = sign;
      const key = { tenant, channel, asked, adServer };
      const name = nameOf(key);
      const next = nextHealth(watched.peek(name)?.health, sign);
      if (next === undefined) {
        watched.delete(name);
        changed.delete(name);
        if (failing.has(name)) recovered.set(name, { key, at });
        return;
      }
      const health = sign.failure === undefined ? next : explained(next);
      watched.set(name, { key, health });
      if (sign.failure === undefined || !isFailing(health)) return;
      recovered.delete(name);
      const stored = failing.get(name)?.lastAt ?? Number.NEGATIVE_INFINITY;
      if (at - stored >= REFRESH_MS && changed.size < MAX_WATCHED) changed.add(name);
    },
    /** Stores what has changed. */
    async share(): Promise<void> {
      for (const name of changed) await storeFailing(name);
      for (const [name, { key, at }] of recovered) await storeRecovered(name, key, at);
    },
    /** Reads what other nodes have found. */
    async refresh(): Promise<void> {
      const found = await store.list(millis(now() - FORGOTTEN_MS));
      failing.clear();
      for (const one of found) failing.set(nameOf(one), one);
    },
    size: (): number => watched.size,
  };
}
