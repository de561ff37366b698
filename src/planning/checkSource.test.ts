// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { deferred } from '../../test/deferred.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { systemTimers } from '../adapters/systemClock.ts';
import { millis } from '../time/units.ts';
import { createSourceChecker } from './checkSource.ts';
import type { Imported } from './ports.ts';

const rate = { n: 25, d: 1 };
const asset = syntheticAsset({ name: 'video', rate, segments: Array(10).fill(50), qualities: 2 });
/** What each tenant has checked is kept in `known`. */
function checkerOf(find: (url: string, freshAfter: number) => Promise<Imported>, known = new Set<string>()) {
  const store = {
    isUsedBy: async (tenant: string, url: string) => known.has(`${tenant} ${url}`),
    markChecked: async (tenant: string, url: string) => void known.add(`${tenant} ${url}`),
  };
  return createSourceChecker({ assets: { find }, store, now: () => millis(1000), timers: systemTimers });
}

test('a playable source returns its duration, cut points and where cue points land', async () => {
  const check = checkerOf(async () => ({ ok: true, key: 'k', asset }));
  const cuePoints = [{ spliceTime: 51, maxDuration: 10 }];
  expect(await check('acme', 'http://x/a.m3u8', { spliceType: 'percent', cuePoints })).toMatchObject({
    state: 'ready',
    duration: 20,
    cutPoints: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20],
    cuePoints: [{ spliceTime: 51, landsAt: 10 }],
    renditions: expect.arrayContaining([expect.objectContaining({ kind: 'video', framesPerSecond: 25 })]),
  });
});

test('a source that cannot be played returns the reason; isFresh, and the first check of a tenant, import it again', async () => {
  const freshness: number[] = [];
  let imported: Imported = { ok: false, reason: 'it is gone' };
  const known = new Set(['acme http://x/a.m3u8']);
  const check = checkerOf(async (_, freshAfter) => {
    freshness.push(freshAfter);
    return imported;
  }, known);
  expect(await check('acme', 'http://x/a.m3u8', {})).toEqual({ state: 'failed', reason: 'it is gone' });
  await check('acme', 'http://x/a.m3u8', { isFresh: true });
  await check('globex', 'http://x/a.m3u8', {});
  expect(known.size).toBe(1);
  imported = { ok: true, key: 'k', asset };
  for (let i = 0; i < 2; i += 1) await check('globex', 'http://x/a.m3u8', {});
  expect(freshness).toEqual([0, 1000, 1000, 1000, 0]);
});

test('concurrent checks share an import, and each tenant has at most eight imports at a time', async () => {
  let started = 0;
  const { promise: slow, resolve: end } = deferred<Imported>();
  const check = checkerOf(() => {
    started += 1;
    return slow;
  });
  const urls = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const waiting = [...urls, ...urls].map((url) => check('acme', url, {}));
  expect(await check('acme', 'i', {})).toBe('busy');
  const others = check('globex', 'i', {});
  end({ ok: false, reason: 'no' });
  for (const one of await Promise.all(waiting)) expect(one).toEqual({ state: 'failed', reason: 'no' });
  expect(started).toBe(9);
  expect(await others).toEqual({ state: 'failed', reason: 'no' });
  expect(await check('acme', 'i', {})).toEqual({ state: 'failed', reason: 'no' });
});

test('an import that throws rejects the check and frees its place', async () => {
  const check = checkerOf(() => Promise.reject(new Error('the store is unavailable')));
  for (let i = 0; i < 10; i += 1)
    await expect(check('acme', `http://x/${i}`, {})).rejects.toThrow('the store is unavailable');
});
