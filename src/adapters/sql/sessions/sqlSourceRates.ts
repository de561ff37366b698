// SPDX-License-Identifier: Apache-2.0
// The next free slot of each ad source with a rate: one row, changed by one statement.
import { sql } from 'kysely';
import type { SourceRates } from '../../../sessions/ports.ts';
import { farthestSlot, slotInterval } from '../../../sessions/sourceRates.ts';
import { compileOnce } from '../compileOnce.ts';
import type { Sql } from '../sql.ts';

type Values = {
  readonly tenant: string;
  readonly id: string;
  readonly interval: number;
  readonly farthest: number;
  /** JSON. */
  readonly limits: string;
  readonly at: number;
};
type SlotRow = { readonly at: number; readonly first_at: number; readonly next_at: number };

export function sqlSourceRates({ kind, run }: Sql): SourceRates {
  const isPostgres = kind === 'postgres';
  const reserveSlots = compileOnce(({ tenant, id, interval, farthest, limits, at }: Values) => {
    // All processes of an SQLite file are on one machine, so their clock is that of the store.
    const clock = isPostgres
      ? sql`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`
      : sql`cast(${at} as bigint)`;
    const each = sql.raw(isPostgres ? 'json_array_elements_text' : 'json_each');
    /** Microseconds of the reserved slots. */
    const length = sql`cast(cast(${interval} as double precision) * (
      select count(*) from ${each}(cast(${limits} as ${sql.raw(isPostgres ? 'json' : 'text')})) as one
      where cast(one.value as bigint) >= first - at) as bigint)`;
    return sql<SlotRow>`
      with clock as (select ${clock} as at)
      insert into source_rates (tenant, source, first_at, next_at)
      select cast(${tenant} as text), cast(${id} as text), first, first + ${length}
      from (select at, at as first from clock) as fresh where true
      on conflict (tenant, source) do update set (first_at, next_at) = (
        select first, first + ${length}
        from (
          select at, case when source_rates.next_at between at and at + cast(${farthest} as bigint)
            then source_rates.next_at else at end as first
          from clock
        ) as known
      )
      returning first_at, next_at, (select at from clock) as at`;
  });
  return {
    async reserve(source, limits, now) {
      const { tenant, id } = source;
      const interval = slotInterval(source);
      const values = { tenant, id, interval, farthest: farthestSlot(source), limits: JSON.stringify(limits) };
      const { rows } = await run(reserveSlots({ ...values, at: 1000 * now }));
      const [{ at: clock, first_at: first, next_at: next }] = rows as readonly [SlotRow];
      return { clock, first, count: Math.round((next - first) / interval) };
    },
  };
}
