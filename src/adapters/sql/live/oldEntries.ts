// SPDX-License-Identifier: Apache-2.0
// Which entries of live timelines are old, and their removal.
import { type RawBuilder, sql } from 'kysely';

/** The number of the newest entry that is needed for the last `millis` of a timeline. */
export const neededFrom = (life: RawBuilder<unknown>, millis: RawBuilder<unknown>) => sql<number>`coalesce((
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
