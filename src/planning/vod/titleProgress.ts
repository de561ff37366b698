// SPDX-License-Identifier: Apache-2.0
// The progress of imports that viewers start: stored for operators if an import takes long or fails. The number of imports that
// run for one channel at the same time is limited, because anyone with its playback URL can start them; the others wait. Imports
// from a host that does not respond take long and must not delay those from other hosts.
import { LRUCache } from 'lru-cache';
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import { createKeyedQueues, createTaskQueue, hostOf } from '../../ingest/taskQueue.ts';
import { type Clock, within } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import type { Imported, TitleStore } from '../ports.ts';

type TitleProgressDeps = Clock & {
  readonly titles: Pick<TitleStore, 'put'>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

export type TitleProgress = ReturnType<typeof createTitleProgress>;

/** The progress of an import that succeeds in less time is not stored. */
const QUICK_MS = 250;
/** A failure that repeats is stored at most this often. */
const REPEAT_MS = 15_000;
const MAX_FAILURES = 10_000;
const MAX_IMPORTS = 64;
const MAX_IMPORTS_FROM_HOST = 16;
/** Imports of one channel, those that wait included. A playlist has up to 1000 items. */
const MAX_WAITING = 2000;

const startRunning = () => ({
  all: createTaskQueue(MAX_IMPORTS),
  hosts: createKeyedQueues(MAX_IMPORTS_FROM_HOST),
  byUrl: new Map<string, Promise<Imported>>(),
});

export function createTitleProgress({ titles, now, timers, log }: TitleProgressDeps) {
  const running = new Map<string, ReturnType<typeof startRunning>>();
  const failures = new LRUCache<string, string>({ max: MAX_FAILURES, ttl: REPEAT_MS });

  async function store(channel: ChannelRef, url: string, startedAt: Millis, imported?: Imported): Promise<void> {
    const title = { url, state: 'importing', startedAt, updatedAt: now() } as const;
    const done = imported?.ok
      ? ({ state: 'ready', asset: imported.key, duration: imported.asset.duration } as const)
      : imported && ({ state: 'failed', reason: imported.reason } as const);
    try {
      await titles.put(channel, { ...title, ...done });
    } catch (error) {
      log('failed to store the progress of an import', { tenant: channel.tenant, channelId: channel.id, error });
    }
  }

  async function report(channel: ChannelRef, url: string, importing: Promise<Imported>): Promise<Imported> {
    const startedAt = now();
    const quick = await within(timers, QUICK_MS, importing);
    if (quick?.ok) return quick;
    if (quick === undefined) await store(channel, url, startedAt);
    const imported = await importing;
    const key = `${channelKey(channel)} ${url}`;
    if (!imported.ok && failures.get(key) === imported.reason) return imported;
    if (!imported.ok) failures.set(key, imported.reason);
    await store(channel, url, startedAt, imported);
    return imported;
  }

  return {
    /** Runs an import, each URL once at a time. @returns undefined if too many imports of the channel are waiting */
    follow(channel: ChannelRef, url: string, run: () => Promise<Imported>): Promise<Imported | undefined> {
      const key = channelKey(channel);
      const own = running.get(key) ?? startRunning();
      const known = own.byUrl.get(url);
      if (known !== undefined) return known;
      if (own.byUrl.size >= MAX_WAITING) return Promise.resolve(undefined);
      const started = own.hosts
        .run(hostOf(url), () => own.all.run(() => report(channel, url, run()), false))
        .finally(() => {
          own.byUrl.delete(url);
          if (own.byUrl.size === 0) running.delete(key);
        });
      own.byUrl.set(url, started);
      running.set(key, own);
      return started;
    },
  };
}
