// SPDX-License-Identifier: Apache-2.0
// Moves expired sessions to the history, in the transaction that removes them. Their records are large and are set aside: they are
// compressed and stored later, in the background.
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Ended } from '../../../sessions/history/ports.ts';
import { jsonRows } from '../jsonRows.ts';
import { toPastSessionRow } from '../past/pastSessionRow.ts';
import type { Sql } from '../sql.ts';

export function moveToHistory({ db, kind }: Sql): (ended: readonly Ended[]) => Compilable[] {
  const texts = { id: 'text', id_start: 'text', tenant: 'text', channel_id: 'text', format: 'text' } as const;
  const times = { opened_at: 'bigint', seen_at: 'bigint', kept_from: 'bigint', span: 'bigint' } as const;
  const columns = {
    ...{ ...texts, ...times },
    ...({ address: 'text', user_agent: 'text', parameters: 'text', bytes: 'bigint' } as const),
  };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const list = sql.raw(names.join(', '));
  const sessionRows = jsonRows(kind, columns);
  const statement = (built: RawBuilder<unknown>): Compilable => ({ compile: () => built.compile(db) });

  return (ended) => {
    const rows = ended.map(toPastSessionRow);
    const ids = sql.join(rows.map(({ id }) => id));
    const keptFrom = rows[0]!.kept_from;
    /** Removed by this transaction, or by that of another node, which has moved it as well. */
    const isGone = sql`not in (select id from sessions where id in (${ids}))`;
    return [
      statement(sql`
        insert into past_sessions (${list})
        select ${list} from ${sessionRows(rows.map((row) => names.map((name) => row[name])))} as ended
        where id ${isGone} and tenant in (select name from tenants) on conflict (id) do nothing`),
      statement(sql`
        update past_breaks set kept_from = ${keptFrom} where session_id in (${ids}) and session_id ${isGone}`),
      statement(sql`update breaks set is_aside = 1 where session_id in (${ids}) and session_id ${isGone}`),
      statement(sql`
        delete from confirmations where session_id in (${ids}) and session_id ${isGone} and not exists (
          select 1 from breaks
          where breaks.session_id = confirmations.session_id and breaks.break_id = confirmations.break_id)`),
    ];
  };
}
