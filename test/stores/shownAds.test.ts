// SPDX-License-Identifier: Apache-2.0
// What viewers were shown, on every session store, and the law of frequency caps: however many processes decide for a viewer at once,
// and whatever fails, no cap is exceeded.
import { expect, test } from 'vitest';
import { sqlTenants } from '../../src/platform/access/store/sqlTenants.ts';
import { createShownAds } from '../../src/playback/decide/shownAds.ts';
import { createStoreHealth } from '../../src/playback/viewers/storeHealth.ts';
import type { ShownAdsStore } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { createTimerQueue } from '../clock/timerQueue.ts';
import { lawSeeds } from '../lawRuns.ts';
import { scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';

const HOUR = 3_600_000;
/** Redis has a clock of its own. */
const at = Date.now();
const later = millis(at + HOUR);
const viewerOf = (key: string, tenant = 'acme') => ({ tenant, key });
const seeds = lawSeeds(3);

const MAX = 6;
const caps = [{ per: 'creative', max: MAX, hours: 1 }] as const;
/** Takes as many as the cap allows. The text is their number. */
const taking = (most: number) => (shown: string | undefined) => {
  const taken = shown === undefined ? 0 : Math.min(most, MAX - Number(shown));
  return { result: taken, shown: taken > 0 ? String(Number(shown) + taken) : undefined };
};

/** A process that decides, on a clock that stands still. */
function deciderOn(store: Pick<ShownAdsStore, 'read' | 'write'>) {
  const log: string[] = [];
  const clock = createTimerQueue(at);
  const health = createStoreHealth(clock.timers, () => {});
  const { choose } = createShownAds({ store, health, now: () => millis(at), log: (line) => void log.push(line) });
  return { log, clock, choose: (key: string, most: number) => choose(viewerOf(key), caps, taking(most)) };
}

onEachSessionStore(scratchFolder(), ({ shownAds: store, sql, keepsInSql }, open) => {
  test('a text is stored once in each version, and read back as written', async () => {
    const viewer = viewerOf('written');
    expect(await store.read(viewer)).toBeUndefined();
    expect(await store.write(viewer, 'early', 7, later)).toBe(false);
    expect(await store.write(viewer, 'ünï ☃', 0, later)).toBe(true);
    expect(await store.write(viewer, 'again', 0, later)).toBe(false);
    const first = (await store.read(viewer))!;
    expect(first.text).toBe('ünï ☃');
    expect(await store.write(viewer, 'x'.repeat(16_384), first.version, later)).toBe(true);
    expect(await store.write(viewer, 'stale', first.version, later)).toBe(false);
    const second = (await store.read(viewer))!;
    expect(second.text).toHaveLength(16_384);
    expect(second.version).toBeGreaterThan(first.version);
    expect(await store.read(viewerOf('written', 'globex'))).toBeUndefined();
    expect(await store.read(viewerOf('other'))).toBeUndefined();
  });

  test('of writers in two processes at once, one succeeds', async () => {
    const stores = [store, (await open()).shownAds];
    for (let version = 0, round = 0; round < 10; round += 1) {
      const write = (n: number) => stores[n % 2]!.write(viewerOf('race'), `${round}-${n}`, version, later);
      const written = await Promise.all([0, 1, 2, 3].map(write));
      expect(written.filter(Boolean)).toHaveLength(1);
      const stored = (await store.read(viewerOf('race')))!;
      expect(stored.text).toBe(`${round}-${written.indexOf(true)}`);
      ({ version } = stored);
    }
  });

  test('a text is removed once it is not kept any more; a later write does not shorten that, and starts no older version', async () => {
    const soon = millis(Date.now() + 500);
    await store.write(viewerOf('old'), 'x', 0, soon);
    const { version } = (await store.read(viewerOf('old'))) ?? { version: 0 };
    await store.write(viewerOf('kept'), 'x', 0, later);
    expect(await store.write(viewerOf('kept'), 'y', (await store.read(viewerOf('kept')))!.version, soon)).toBe(true);
    const afterExpiry = async () => {
      await store.expire(millis(Date.now()));
      return store.read(viewerOf('old'));
    };
    await expect.poll(afterExpiry).toBeUndefined();
    expect(await store.read(viewerOf('kept'))).toMatchObject({ text: 'y' });
    expect(await store.write(viewerOf('old'), 'new', 0, later)).toBe(true);
    expect((await store.read(viewerOf('old')))!.version).toBeGreaterThan(version);
  });

  test.runIf(keepsInSql)('one statement removes a limited number of texts', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, n) => store.write(viewerOf(`old-${n}`), 'x', 0, millis(1))));
    expect(await store.expire(millis(1))).toBe(false);
    expect([await store.expire(millis(2)), await store.expire(millis(2))]).toEqual([true, false]);
    expect(await store.read(viewerOf('old-599'))).toBeUndefined();
  });

  test.runIf(keepsInSql)('what viewers were shown is removed with its tenant', async () => {
    await store.write(viewerOf('mine', 'leaving'), 'x', 0, later);
    await sqlTenants(sql, { insertion: () => sql.db.selectFrom('facts').selectAll() }).remove('leaving');
    expect(await store.read(viewerOf('mine', 'leaving'))).toBeUndefined();
  });

  test.each(seeds)('deciders in two processes at once do not exceed a cap, and reach it (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const [one, other] = [deciderOn(store), deciderOn((await open()).shownAds)];
    const deciders = Array.from({ length: 8 }, async (_, n) => {
      let taken = 0;
      for (let round = 0; round < 2; round += 1)
        taken += await (n % 2 ? one : other).choose(`seed-${seed}`, Math.floor(random() * 3));
      return taken;
    });
    const taken = (await Promise.all(deciders)).reduce((sum, count) => sum + count, 0);
    expect((await store.read(viewerOf(`seed-${seed}`)))?.text ?? '0').toBe(String(taken));
    expect(taken).toBeLessThanOrEqual(MAX);
    expect(taken + (await one.choose(`seed-${seed}`, MAX))).toBe(MAX);
    expect(await other.choose(`seed-${seed}`, 1)).toBe(0);
  });

  test.each(seeds)('lost responses of the store do not exceed a cap (seed %i)', async (seed) => {
    const random = seededRandom(seed);
    const key = `lost-${seed}`;
    const decider = deciderOn({
      read: store.read,
      async write(...args) {
        const isWritten = await store.write(...args);
        if (random() < 0.5) throw new Error('connection closed');
        return isWritten;
      },
    });
    let taken = 0;
    for (let round = 0; round < 8; round += 1) taken += await decider.choose(key, 1);
    expect(taken).toBeLessThanOrEqual(Number((await store.read(viewerOf(key)))?.text ?? 0));
  });

  test('without the store, no ad with a cap is chosen, and the log states why', async () => {
    const closed = await open();
    await closed.shownAds.read(viewerOf('closed'));
    await closed.close();
    await closed.sql.close();
    const decider = deciderOn(closed.shownAds);
    expect([await decider.choose('closed', 1), decider.log]).toEqual([
      0,
      [expect.stringContaining('does not respond')],
    ]);
  });

  test('a store that does not respond in time is not waited for', async () => {
    const decider = deciderOn({ read: () => new Promise(() => {}), write: store.write });
    const chosen = decider.choose('silent', 1);
    decider.clock.advanceTo(at + 1000);
    expect([await chosen, decider.log]).toEqual([0, [expect.stringContaining('does not respond')]]);
  });

  test('no ad with a cap is chosen if others decide for the viewer all the time', async () => {
    const decider = deciderOn({
      read: store.read,
      async write(viewer, text, version, keepUntil) {
        await store.write(viewer, '0', version, keepUntil);
        return store.write(viewer, text, version, keepUntil);
      },
    });
    expect([await decider.choose('busy', 1), decider.log]).toEqual([0, [expect.stringContaining('at once')]]);
  });
});
