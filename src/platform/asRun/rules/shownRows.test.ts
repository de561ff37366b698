// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AsRunRow } from '../../../scheduling/asRun.ts';
import { programmesOf } from '../../../scheduling/forms/guideProgrammes.ts';
import { millis } from '../../../time/units.ts';
import { shownRows } from './shownRows.ts';

const times = (from: number, to: number) => ({
  id: `${from}`,
  from: millis(from),
  to: millis(to),
  differences: [],
});
const asset = { url: 'http://origin/master.m3u8', in: 0, out: 20 };
const rows: AsRunRow[] = [
  { kind: 'slate', ...times(0, 10) },
  { kind: 'slate', entryId: 'match', ...times(10, 15) },
  { kind: 'programme', entryId: 'match', asset, ...times(15, 35) },
  { kind: 'slate', entryId: 'match', ...times(35, 40) },
  { kind: 'programme', entryId: 'match', asset, ...times(40, 60) },
];

test('a live programme is one programme with the slate that was shown in its place', async () => {
  const list = async () => ({ total: rows.length, items: rows });
  const shown = await shownRows({ list })({ tenant: 't', id: 'c' }, { from: millis(0), to: millis(60) });
  const programmes = programmesOf(shown, () => undefined, { name: 'One', listsFiller: false });
  expect(programmes.map(({ id, startsAt, endsAt }) => [id, startsAt, endsAt])).toEqual([['match', 10, 60]]);
});
