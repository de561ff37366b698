// SPDX-License-Identifier: Apache-2.0
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../test/servers/sqlStores.ts';
import { compileOnce } from './compileOnce.ts';

onEachOpenStore((store) => {
  test('a statement is built once and run with the values of each call', async () => {
    let builds = 0;
    const insert = compileOnce((of: { name: string; value: string }) => {
      builds += 1;
      return store.db.insertInto('facts').values({ value: of.value, name: of.name });
    });
    const find = compileOnce((of: { name: string }) =>
      store.db.selectFrom('facts').select(['name', 'value']).where('name', '=', of.name),
    );
    expect((await store.run(insert({ name: 'a', value: 'one' }))).changes).toBe(1);
    expect(await store.atomically([insert({ name: 'b', value: 'two' }), insert({ name: 'c', value: 'two' })])).toEqual([
      1, 1,
    ]);
    expect((await store.run(find({ name: 'a' }))).rows).toEqual([{ name: 'a', value: 'one' }]);
    expect((await store.run(find({ name: 'c' }))).rows).toEqual([{ name: 'c', value: 'two' }]);
    expect((await store.run(find({ name: "' or 1 = 1 --" }))).rows).toEqual([]);
    expect(builds).toBe(1);
  });

  test('a value may occur several times, beside constants', async () => {
    const repeat = compileOnce((of: { text: string; none: string | null }) => {
      const { text, none } = of;
      return sql<{ all: string }>`
        select cast(${text} as text) || ${'-'} || cast(${text} as text) || coalesce(cast(${none} as text), '') as "all"`;
    });
    expect((await store.run(repeat({ text: 'x', none: null }))).rows).toEqual([{ all: 'x-x' }]);
    expect((await store.run(repeat({ text: 'y', none: '!' }))).rows).toEqual([{ all: 'y-y!' }]);
  });
});
