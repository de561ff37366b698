// SPDX-License-Identifier: Apache-2.0
// A Redis cluster of three masters and three replicas: what was returned before a master failed is there afterwards.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createParts } from '../../src/adapters/redis/parts.ts';
import { openRedisStore } from '../../src/adapters/redis/redisStore.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { redisSessionStores } from '../../src/composition/openSessionStores.ts';
import { openSqlite } from '../../src/database.ts';
import { createLostResponses } from '../../src/playback/decide/decisionRecorder.ts';
import type { StoredDecision, ViewerKey } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { opened, openedInTest } from '../opened.ts';
import { startRedisCluster } from '../servers/startRedisCluster.ts';
import { sessionOf } from '../stores/records.ts';

const cluster = await opened(startRedisCluster());

const installation = 'test';
async function openStores(onUnprotected?: (masters: number) => void) {
  const store = await openedInTest(openRedisStore(cluster.url, installation, onUnprotected ? { onUnprotected } : {}));
  return redisSessionStores(store, await openSqlite(':memory:'));
}
const open = async (onUnprotected?: (masters: number) => void) => (await openStores(onUnprotected)).sessions;

const odometer = { segments: [0], discontinuities: 0 };
const decisionOf = (breakId: string, mediaId: string): StoredDecision => ({
  ...{ breakId, startsAt: 100, joined: 0, ads: [{ adId: `${breakId}-0`, mediaId, frames: 250 }] },
  shift: { segments: [1], discontinuities: 1 },
});
const recordOf = (id: string): BreakRecord => ({
  ...{ id, startsAt: '', duration: 10, status: 'filled', warnings: [], ads: [], slate: 0 },
});

type Sessions = Awaited<ReturnType<typeof open>>;
const stateOf = (id: string) => ({
  ...{ session: sessionOf(id), decisions: [], odometer, foldedBefore: millis(0) },
});
const decide = (sessions: Sessions, id: string, breakId: string, mediaId: string) =>
  sessions.decide(stateOf(id), decisionOf(breakId, mediaId), recordOf(breakId), millis(0));

/** Counts one more ad for a viewer. @returns whether it may be shown */
async function countAd({ shownAds }: Awaited<ReturnType<typeof openStores>>, viewer: ViewerKey): Promise<boolean> {
  const { text, version } = (await shownAds.read(viewer)) ?? { text: '', version: 0 };
  return shownAds.write(viewer, `${text}x`, version, millis(Date.now() + 3_600_000));
}

/** Repeats a call until the cluster has a master for its part again. */
async function untilDone<Value>(call: () => Promise<Value>): Promise<Value> {
  let value: { readonly done: Value } | undefined;
  await expect
    .poll(async () => {
      value = await call().then(
        (done) => ({ done }),
        () => undefined,
      );
      return value !== undefined;
    })
    .toBe(true);
  return value!.done;
}

test.each(['kill', 'suspend'] as const)(
  'no decision that was returned is lost when masters fail (%s) while two nodes decide, and no ad that was counted',
  async (fault) => {
    const stores = [await openStores(), await openStores()];
    const nodes = stores.map(({ sessions }) => sessions);
    const ids = Array.from({ length: 60 }, () => randomUUID());
    await Promise.all(ids.map((id) => nodes[0]!.create(sessionOf(id), odometer)));
    /** What a node has returned, by session and break. */
    const shown = new Map<string, string>();
    const counted = new Map<string, number>();
    let isOver = false;
    async function view(id: string): Promise<void> {
      for (let number = 0; !isOver; number += 1) {
        const results = await Promise.allSettled(
          nodes.map((node, index) => decide(node, id, `1-${number}`, `${index}-${number}`)),
        );
        for (const result of results) {
          if (result.status === 'rejected' || result.value === undefined) continue;
          const { decisions } = result.value.state;
          const mediaId = decisions.find(({ breakId }) => breakId === `1-${number}`)!.ads[0]!.mediaId;
          const key = `${id} 1-${number}`;
          // Both nodes show the same.
          expect(shown.get(key) ?? mediaId).toBe(mediaId);
          shown.set(key, mediaId);
        }
        for (const one of await Promise.allSettled(stores.map((each) => countAd(each, { tenant: 't', key: id }))))
          if (one.status === 'fulfilled' && one.value) counted.set(id, (counted.get(id) ?? 0) + 1);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    const viewers = ids.map(view);
    for (let round = 0; round < 2; round += 1) {
      const before = shown.size;
      await expect.poll(() => shown.size).toBeGreaterThan(before + 100);
      const { server } = (await cluster.ownersOf(`${installation}:{${round}}:`)).master;
      if (fault === 'kill') await server.kill();
      else server.suspend();
      await cluster.untilReplaced(server);
      const after = shown.size;
      await expect.poll(() => shown.size).toBeGreaterThan(after + 100);
      if (fault === 'kill') await server.restart();
      else server.resume();
      await cluster.untilHealthy();
    }
    isOver = true;
    await Promise.all(viewers);
    expect(shown.size).toBeGreaterThan(400);
    for (const id of ids) {
      const state = await untilDone(() => nodes[1]!.find(id));
      const stored = new Map(state?.decisions.map(({ breakId, ads }) => [`${id} ${breakId}`, ads[0]!.mediaId]));
      for (const [key, mediaId] of shown) if (key.startsWith(id)) expect(stored.get(key)).toBe(mediaId);
      // A write that failed may have been stored, too.
      const ads = await untilDone(() => stores[1]!.shownAds.read({ tenant: 't', key: id }));
      expect(ads?.text.length).toBeGreaterThanOrEqual(counted.get(id)!);
    }
  },
);

test('a master without a replica stores decisions, and reports it', async () => {
  const { replicas } = await cluster.ownersOf(`${installation}:{0}:`);
  const counts: number[] = [];
  const sessions = await open((masters) => counts.push(masters));
  const ids = Array.from({ length: 40 }, () => randomUUID());
  await Promise.all(ids.map((id) => sessions.create(sessionOf(id), odometer)));
  for (const { server } of replicas) await server.kill();
  for (const id of ids)
    expect(await untilDone(() => decide(sessions, id, '1-1', 'm'))).toMatchObject({ isFirst: true });
  expect(counts).toContain(1);
  for (const { server } of replicas) await server.restart();
  await cluster.untilHealthy();
  await expect
    .poll(async () => {
      await Promise.all(ids.map((id) => sessions.find(id)));
      return counts.at(-1);
    })
    .toBe(0);
});

test('a decision that no replica has is returned to no node', async () => {
  const nodes = [await open(), await open()] as const;
  const id = randomUUID();
  await nodes[0].create(sessionOf(id), odometer);
  const { replicas } = await cluster.ownersOf(createParts(installation).of(id).prefix);
  for (const { server } of replicas) server.suspend();
  const unavailable = { kind: 'UNAVAILABLE' };
  await expect(decide(nodes[0], id, '1-1', 'm')).rejects.toMatchObject(unavailable);
  await expect(nodes[1].find(id)).rejects.toMatchObject(unavailable);
  for (const { server } of replicas) server.resume();
  const state = await untilDone(() => nodes[1].find(id));
  expect(state?.decisions.map(({ breakId }) => breakId)).toEqual(['1-1']);
});

test('a node finds its own decision once a replica confirms it, after the call has failed', async () => {
  const [own, other] = [await open(), await open()];
  const id = randomUUID();
  await own.create(sessionOf(id), odometer);
  const { replicas } = await cluster.ownersOf(createParts(installation).of(id).prefix);
  const found: string[] = [];
  async function attempt(sessions: Sessions, writer: string): Promise<void> {
    const decision = { ...decisionOf('1-1', writer), writer };
    const health = { isUnavailable: () => false };
    const lost = createLostResponses({ sessions, health, timers: systemTimers, log: expect.unreachable });
    const decided = sessions.decide(stateOf(id), decision, recordOf('1-1'), millis(0));
    await expect(decided).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    lost.watch(id, decision, ({ decisions }) => found.push(`${writer}: ${decisions[0]?.writer}`));
  }
  for (const { server } of replicas) server.suspend();
  await attempt(own, 'own');
  await attempt(other, 'other');
  for (const { server } of replicas) server.resume();
  await expect.poll(() => found).toEqual(['own: own']);
});
