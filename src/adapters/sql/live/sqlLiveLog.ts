// SPDX-License-Identifier: Apache-2.0
// Stores the timelines of live channels. The first writer of an entry wins.

import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { defined } from '../../../invariant.ts';
import type { LiveLog } from '../../../live/ports.ts';
import type { LiveEntry } from '../../../live/slot.ts';
import { jsonRows } from '../jsonRows.ts';
import type { Sql } from '../sql.ts';
import { readEntry, writeEntry } from './entryBody.ts';

type Row = { readonly life: string; readonly number: number | string; readonly body: string };

/** After as many entries, other work of this thread gets a turn. */
const ENTRIES_PER_TURN = 200;

async function decodeAll(rows: readonly Row[]): Promise<LiveEntry[]> {
  const entries: LiveEntry[] = [];
  for (const { number, body } of rows) {
    if (entries.length % ENTRIES_PER_TURN === ENTRIES_PER_TURN - 1) await nextTurn();
    entries.push(readEntry(Number(number), body));
  }
  return entries;
}

const startOf = ({ slots }: LiveEntry): number | null =>
  slots.length === 0 ? null : Math.min(...slots.map(({ start }) => start.millis));

export function sqlLiveLog({ db, kind, atomicRows }: Sql): LiveLog {
  const newRows = jsonRows(kind, 'life text, number bigint, first bigint, starts_at bigint, body text');
  const askedRows = jsonRows(kind, 'life text, value bigint');
  // PostgreSQL: an entry and the end of its feed exclude each other. SQLite has one writer at a time.
  const keptUntilStored = sql.raw(kind === 'postgres' ? 'for key share of live_feeds' : '');
  const ofLife = (life: string) =>
    db.selectFrom('live_entries').select(['life', 'number', 'body']).where('life', '=', life).orderBy('number');

  return {
    async append(entries) {
      const writer = randomUUID();
      const firsts = new Map<string, number>();
      for (const { life, entry } of entries) firsts.set(life, Math.min(entry.number, firsts.get(life) ?? entry.number));
      const rows = entries.map(({ life, entry }) => {
        return [life, entry.number, firsts.get(life) ?? entry.number, startOf(entry), writeEntry(entry)] as const;
      });
      const insertion = (some: typeof rows, chain: RawBuilder<unknown>) =>
        sql`
          insert into live_entries (life, number, starts_at, writer, body)
          select news.life, news.number, news.starts_at, cast(${writer} as text), news.body
          from ${newRows(some)} as news join live_feeds on live_feeds.life = news.life
          ${chain} order by news.life, news.number ${keptUntilStored}
          on conflict (life, number) do nothing returning life, number`;
      // Two writers could otherwise interleave the entries of an outage. PostgreSQL waits for a concurrent writer of
      // the same number, so the second statement finds whose entry was stored.
      const isOurs = sql`where exists (select 1 from live_entries as before
        where before.life = news.life and before.number = news.first and before.writer = ${writer})`;
      const rest = rows.filter(([, number, first]) => number !== first);
      const stored = await atomicRows([
        insertion(
          rows.filter(([, number, first]) => number === first),
          sql`where true`,
        ),
        ...(rest.length === 0 ? [] : [insertion(rest, isOurs)]),
      ]);
      const keys = new Set((stored.flat() as Row[]).map(({ life, number }) => `${life} ${number}`));
      return entries.map(({ life, entry }) => keys.has(`${life} ${entry.number}`));
    },
    read: async (life, from) => decodeAll(await ofLife(life).where('number', '>=', from).execute()),
    async tail(life, millis) {
      return decodeAll(
        await ofLife(life)
          .where('number', '>=', neededFrom(sql`cast(${life} as text)`, sql`cast(${millis} as bigint)`))
          .execute(),
      );
    },
    async readAll(after) {
      if (after.length === 0) return new Map();
      const asked = askedRows(after.map(({ life, from }) => [life, from]));
      const { rows } = await sql<Row>`
        select entries.life, entries.number, entries.body from ${asked} as asked
        join live_entries as entries on entries.life = asked.life and entries.number >= asked.value
        order by entries.life, entries.number`.execute(db);
      const entries = await decodeAll(rows);
      const byLife = new Map<string, LiveEntry[]>();
      for (const [index, entry] of entries.entries()) {
        const { life } = defined(rows[index], 'each row is an entry');
        const known = byLife.get(life);
        if (known === undefined) byLife.set(life, [entry]);
        else known.push(entry);
      }
      return byLife;
    },
    async removeBefore(kept) {
      if (kept.length === 0) return;
      await removalOfOld(askedRows(kept.map(({ life, millis }) => [life, millis]))).execute(db);
    },
  };
}

// Which entries of live timelines are old, and their removal.

/** The number of the newest entry that is needed for the last `millis` of a timeline. */
const neededFrom = (life: RawBuilder<unknown>, millis: RawBuilder<unknown>) => sql<number>`coalesce((
  select number from live_entries as old where old.life = ${life} and old.starts_at <= (
    select starts_at from live_entries as newest where newest.life = ${life} and newest.starts_at is not null
    order by newest.number desc limit 1) - ${millis}
  order by old.number desc limit 1), 0)`;

/**
 * Removes what the last milliseconds of each feed do not need. The entries of a feed are found by its life: with 500 feeds,
 * finding the feed of each entry takes a hundred times as long.
 * @param kept a table of `life` and `value`, in milliseconds
 */
export const removalOfOld = (kept: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with needed as materialized (
    select kept.life, ${neededFrom(sql.ref('kept.life'), sql.ref('kept.value'))} as number from ${kept} as kept)
  delete from live_entries where (life, number) in (
    select old.life, old.number from needed cross join live_entries as old
    where old.life = needed.life and old.number < needed.number)`;
