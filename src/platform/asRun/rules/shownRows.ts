// SPDX-License-Identifier: Apache-2.0
// What a channel has shown, as rows of its guide.
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AsRunRow } from '../../../scheduling/asRun.ts';
import type { GuideRow } from '../../../scheduling/forms/guideProgrammes.ts';
import type { Millis } from '../../../time/units.ts';
import type { AsRunStore } from './ports.ts';

/** Rows that are read at once: a loop of short clips has very many. */
const PAGE = 500;

/** A playlist without a schedule is filler: its items have no names. */
function rowOf(row: AsRunRow): GuideRow {
  const times = { startsAt: row.from, endsAt: row.to };
  if (row.kind === 'insertedBreak' || row.kind === 'blackout') return { kind: 'inserted', ...times };
  if (row.kind === 'filler' || row.entryId === undefined) return { kind: 'filler', ...times };
  const breaks = row.kind === 'break' ? [{ startsAt: row.from, duration: row.to - row.from }] : [];
  const title = row.title === undefined ? {} : { title: row.title };
  return { kind: 'entry', entryId: row.entryId, ...title, ...times, breaks };
}

export const shownRows =
  (store: Pick<AsRunStore, 'list'>) =>
  async (channel: ChannelRef, range: { readonly from: Millis; readonly to: Millis }): Promise<GuideRow[]> => {
    const rows: GuideRow[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await store.list(channel, range, { offset, limit: PAGE });
      for (const row of items.map(rowOf)) {
        const last = rows.at(-1);
        if (row.kind === 'filler' && last?.kind === 'filler') rows[rows.length - 1] = { ...last, endsAt: row.endsAt };
        else rows.push(row);
      }
      if (items.length < PAGE) return rows;
    }
  };
