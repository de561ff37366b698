// SPDX-License-Identifier: Apache-2.0
// The store of publications and containers, on both databases.

import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { millis } from '../../../time/units.ts';

import { sqlPublications } from './sqlPublications.ts';

const at = (ms: number) => millis(1_700_000_000_000 + ms);
const HOUR = 3_600_000;

onEachOpenStore((sql) => {
  const store = sqlPublications(sql);

  test('a publication that is wanted twice is stored once, with its last use', async () => {
    const one = { location: 'twice', edition: 'e-1', frames: 50 };
    await Promise.all([store.want(one, at(0)), store.want(one, at(1))]);
    const [first] = await store.all('twice');
    expect(first).toMatchObject({ ...one, state: 'wanted', tries: 0, objects: 0, bytes: 0 });
    await store.want(one, at(1000));
    expect((await store.all('twice'))[0]!.usedAt).toBe(first!.usedAt);
    await store.want(one, at(2 * HOUR));
    expect(await store.all('twice')).toEqual([{ ...first, usedAt: at(2 * HOUR) }]);
    await store.want({ ...one, frames: 51 }, at(0));
    expect(await store.all('twice')).toHaveLength(2);
  });

  test('a publication is claimed by one process, and again after the claim has expired', async () => {
    const one = { location: 'due', edition: 'e-2', frames: 50 };
    await store.want(one, at(0));
    expect(await store.due(['due'], at(-1), 10)).toEqual([]);
    expect(await store.due(['elsewhere'], at(0), 10)).toEqual([]);
    expect(await store.due([], at(0), 10)).toEqual([]);
    const [row] = await store.due(['elsewhere', 'due'], at(0), 10);
    const claims = await Promise.all([1, 2, 3].map(() => store.claim(row!, at(60_000))));
    expect(claims.sort()).toEqual([false, false, true]);
    expect(await store.due(['due'], at(59_999), 10)).toEqual([]);
    const [again] = await store.due(['due'], at(60_000), 10);
    expect(again!.tries).toBe(1);
    expect(await store.claim(again!, at(120_000))).toBe(true);
  });

  test('changes are found by their time', async () => {
    const one = { location: 'change', edition: 'e-3', frames: 50 };
    await store.want(one, at(0));
    const [row] = await store.all('change');
    await store.settle(row!, { state: 'published', objects: 7, bytes: 5e9, changedAt: at(5000), tries: 0 });
    const changed = (await store.changedSince(at(4999))).filter(({ location }) => location === 'change');
    expect(changed).toEqual([{ ...row, state: 'published', objects: 7, bytes: 5e9, changedAt: at(5000) }]);
    expect((await store.changedSince(at(5001))).some(({ location }) => location === 'change')).toBe(false);
    expect(await store.due(['change'], at(HOUR), 10)).toEqual([]);
    expect(await store.tally('change')).toEqual({ waiting: 0, published: 1 });
    await store.forget(one);
    expect(await store.all('change')).toEqual([]);
  });

  test('the state of a container is the latest one', async () => {
    await store.noteState({ location: 'here', reason: 'returned status 500', checkedAt: at(1) });
    await store.noteState({ location: 'here', checkedAt: at(2) });
    await store.noteState({ location: 'there', reason: 'returned status 403', checkedAt: at(3) });
    expect((await store.states()).sort((a, b) => a.checkedAt - b.checkedAt)).toEqual([
      { location: 'here', checkedAt: at(2) },
      { location: 'there', reason: 'returned status 403', checkedAt: at(3) },
    ]);
  });
});
