// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { LinearChannel } from '../../channels/channel.ts';
import type { StoredSchedule } from '../../scheduling/ports.ts';
import type { Entry, Rule } from '../../scheduling/schedule.ts';
import { millis } from '../../time/units.ts';
import { createEndEntry } from './endEntry.ts';
import type { ScheduleEdit } from './scheduleDesk.ts';

const channel = { id: 'one', tenant: 'acme' } as LinearChannel;
const [at, later] = [millis(1000), millis(2000)];
const live = { live: { sourceManifestUrl: 'https://x/live.m3u8', plannedDuration: 60 } };
const match: Entry = { id: 'match', source: live };
const daily: Rule = { id: 'daily', at: '18:00', entries: [{ id: 'show', source: live }] };

/** A desk that stores edits, after one of another node. */
function deskOf(entries: readonly Entry[], rules: readonly Rule[]) {
  let stored = { settings: { rules }, version: 0 } as unknown as StoredSchedule;
  let known = new Map(entries.map((entry) => [entry.id, entry]));
  let conflicts = 1;
  const desk = {
    find: async () => stored,
    byId: async (_: unknown, ids: readonly string[]) =>
      ids.flatMap((id) => {
        const entry = known.get(id);
        return entry === undefined ? [] : [{ entry, at, order: 0 }];
      }),
    edited: async (_: unknown, edit: ScheduleEdit) => edit,
    async store(_: unknown, __: unknown, { edit, settings }: ScheduleEdit) {
      conflicts -= 1;
      if (conflicts >= 0) return false;
      stored = { ...stored, settings };
      if (edit.kind === 'patch')
        known = new Map([...known, ...edit.put.map(({ entry }) => [entry.id, entry] as const)]);
      return true;
    },
  };
  return {
    end: createEndEntry(desk as never),
    rules: () => stored.settings.rules,
    entry: (id: string) => known.get(id),
  };
}

test('an entry is ended once, where it was ended first', async () => {
  const { end, entry } = deskOf([match], []);
  expect([await end(channel, 'match', at), await end(channel, 'match', later)]).toEqual([at, at]);
  expect(entry('match')?.source).toEqual({ live: { ...live.live, endedAt: '1970-01-01T00:00:01.000Z' } });
});

test('an occurrence of a rule is ended alone', async () => {
  const { end, rules } = deskOf([], [daily, { ...daily, id: 'other' }]);
  const id = 'daily@2026-12-01.show';
  expect([await end(channel, id, at), await end(channel, id, later)]).toEqual([at, at]);
  expect(rules()?.map(({ ended }) => ended)).toEqual([[{ entryId: id, at: '1970-01-01T00:00:01.000Z' }], undefined]);
});

test('what is not scheduled is not ended', async () => {
  const { end } = deskOf([{ id: 'film', source: { url: 'https://x/film.m3u8' } }], [daily]);
  expect([await end(channel, 'film', at), await end(channel, 'gone', at)]).toEqual([undefined, undefined]);
});
