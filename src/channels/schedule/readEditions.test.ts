// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { begun, replanned, START, type TestEntry, timedList } from '../../../test/laws/shared/syntheticSchedule.ts';
import { compiled } from '../../../test/laws/syntheticChannel.ts';
import type { EditionRecord } from './airing.ts';
import { readEditions } from './readEditions.ts';

const HOUR = 3_600_000;
const film: TestEntry = { id: 'film', asset: 1, start: 0, breaks: { every: 60, maxDuration: 20 } };
const listAt = (start: number) => timedList([film, { id: 'news', asset: 0, start, breaks: [] }], START + HOUR);
const rowsOf = (records: readonly EditionRecord[], newest = -1) =>
  records.map((record) => ({
    number: record.number,
    body: record.number > newest ? JSON.stringify(record) : null,
  }));

test('what was read edition by edition shows what is stored, without the slots that were never played', () => {
  let channel = begun(listAt(600), START);
  let known = readEditions(rowsOf(channel.records));
  for (let edit = 0; edit < 10; edit += 1) {
    channel = replanned(channel, listAt(100 + 20 * edit), START + 10_000 * edit);
    const newest = known.at(-1)!.number;
    known = readEditions(rowsOf(channel.records, newest), known);
    // Planning goes on from what was read as from what was stored.
    const planned = { ...channel, records: known };
    expect(replanned(planned, listAt(700), START + 10_000 * edit).records.at(-1)).toEqual(
      replanned(channel, listAt(700), START + 10_000 * edit).records.at(-1),
    );
    expect(known.map(({ number }) => number)).toEqual(channel.records.map(({ number }) => number));
    expect(compiled({ ...channel, records: known }).lineup).toEqual(channel.lineup);
  }
  const slots = (records: readonly EditionRecord[]) => records.flatMap((record) => record.slots).length;
  expect(slots(known)).toBeLessThan(slots(channel.records));
});

test('an edition that is known is not parsed again, and one that was removed is left out', () => {
  const { records } = begun(listAt(60), START);
  const known = readEditions(rowsOf(records));
  const again = readEditions(rowsOf(records.slice(1), known.at(-1)!.number), known);
  expect(again.map((record) => known.indexOf(record))).toEqual(records.slice(1).map((_, index) => index + 1));
  expect(() => readEditions([{ number: 99, body: null }], known)).toThrow();
});
