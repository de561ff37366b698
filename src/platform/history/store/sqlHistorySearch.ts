// SPDX-License-Identifier: Apache-2.0
// Searches the sessions of the history, newest first. Channel, time and place in the list are found by index; other conditions are
// checked row by row, for a limited number of rows: SQLite reads in the thread that serves viewers.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExpressionBuilder, sql } from 'kysely';
import { ID_START, openedFrom, parameterLine, spans, toFound } from '../../../adapters/sql/past/pastSessionRow.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { Database } from '../../../adapters/sql/sqlSchema.ts';
import { mergeNewest } from '../../../sessions/history/mergeNewest.ts';
import type { FoundSession, Place, SessionFilter, SessionHistory, Slice } from '../../../sessions/history/ports.ts';

/** Rows that one query examines. */
const ROWS_PER_QUERY = 2000;

type Where = ExpressionBuilder<Database, 'past_sessions'>;

const placeOf = ({ session: { id, openedAt } }: FoundSession): Place => ({ id, openedAt });

export function sqlHistorySearch({ db, kind }: Sql): SessionHistory['search'] {
  const position = sql.raw(kind === 'sqlite' ? 'instr' : 'strpos');

  /** Conditions that no index answers. */
  function checks(where: Where, filter: SessionFilter) {
    const { from, to, channelIds, idPrefix, parameter, address, userAgent, breaks } = filter;
    const { status, reason } = breaks ?? {};
    const ofBreaks = () =>
      where.exists(
        where
          .selectFrom('past_breaks')
          .select('past_breaks.session_id')
          .whereRef('past_breaks.session_id', '=', 'past_sessions.id')
          .where('past_breaks.starts_at', '>=', from)
          .where('past_breaks.starts_at', '<', to)
          .where(
            status === undefined
              ? sql<boolean>`past_breaks.status is not null`
              : sql<boolean>`past_breaks.status = ${status}`,
          )
          .$if(reason !== undefined, (query) => query.where('past_breaks.reason', '=', reason ?? '')),
      );
    return where.and([
      where('seen_at', '>=', from),
      ...(channelIds === undefined ? [] : [where('channel_id', 'in', channelIds)]),
      ...(idPrefix === undefined ? [] : [where(sql`substr(id, 1, ${sql.lit(idPrefix.length)})`, '=', idPrefix)]),
      ...(parameter === undefined
        ? []
        : [sql<boolean>`${position}(parameters, ${parameterLine(parameter.name, parameter.value)}) > 0`]),
      ...(address === undefined ? [] : [where('address', '=', address)]),
      ...(userAgent === undefined
        ? []
        : [sql<boolean>`${position}(lower(user_agent), lower(cast(${userAgent} as text))) > 0`]),
      ...(breaks === undefined ? [] : [ofBreaks()]),
    ]);
  }

  /** Sessions of a class that the index finds, newest first. */
  const candidates = ({ tenant, channelId, from, to, idPrefix = '' }: SessionFilter, span: number, after?: Place) =>
    db
      .selectFrom('past_sessions')
      .where('tenant', '=', tenant)
      .where('span', '=', span)
      .where('opened_at', '>=', openedFrom(span, from))
      .$if(channelId !== undefined, (query) => query.where('channel_id', '=', channelId ?? ''))
      .$if(idPrefix.length >= ID_START, (query) => query.where('id_start', '=', idPrefix.slice(0, ID_START)))
      // Exactly one upper bound: of two redundant ones, SQLite may use the worse one.
      .where(
        after !== undefined && after.openedAt < to
          ? sql<boolean>`(opened_at, id) < (${after.openedAt}, ${after.id})`
          : sql<boolean>`opened_at < ${to}`,
      )
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc');

  async function searchSpan(
    filter: SessionFilter,
    span: number,
    after: Place | undefined,
    limit: number,
  ): Promise<Slice<FoundSession, Place>> {
    const some = candidates(filter, span, after);
    const rows = await db
      .selectFrom(some.selectAll().limit(ROWS_PER_QUERY).as('past_sessions'))
      .selectAll()
      .where((where) => checks(where as unknown as Where, filter))
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    const items = rows.map(toFound);
    const oldest = items.at(-1);
    if (oldest !== undefined && items.length === limit) return { items, until: placeOf(oldest) };
    const last = await some
      .select(['opened_at', 'id'])
      .offset(ROWS_PER_QUERY - 1)
      .limit(1)
      .executeTakeFirst();
    return last === undefined ? { items } : { items, until: { openedAt: Number(last.opened_at), id: last.id } };
  }

  return async (filter, after, limit) => {
    const slices: Slice<FoundSession, Place>[] = [];
    for (const span of spans) {
      slices.push(await searchSpan(filter, span, after, limit));
      await nextTurn();
    }
    return mergeNewest(slices, placeOf, limit);
  };
}
