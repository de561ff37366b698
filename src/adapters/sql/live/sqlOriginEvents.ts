// SPDX-License-Identifier: Apache-2.0
// Stores changes of the origins of live channels, once for all processes.
import { sql as raw } from 'kysely';
import { isSameCondition, type OriginEvent, type OriginEventStore } from '../../../live/originHealth.ts';
import { millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';
import { countOf } from '../sqlRecords.ts';

/** Attempts, if other processes store events at the same time. */
const MAX_ATTEMPTS = 5;

type Row = { readonly at: number; readonly body: string };

const eventOf = ({ at, body }: Row): OriginEvent => ({ ...JSON.parse(body), at: millis(at) });

export function sqlOriginEvents({ db }: Sql): OriginEventStore {
  return {
    async record(life, { at, ...event }) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const feed = await db
          .selectFrom('live_feeds')
          .select(['tenant', 'channel_id', 'format'])
          .where('life', '=', life)
          .executeTakeFirst();
        if (feed === undefined) return;
        const newest = await db
          .selectFrom('origin_events')
          .select(['number', 'at', 'body'])
          .where((row) => row.and(feed))
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirst();
        if (newest !== undefined && isSameCondition(eventOf(newest), event)) return;
        const number = (newest?.number ?? 0) + 1;
        // Not for a feed that has just ended with its channel.
        const { numAffectedRows } = await raw`
          insert into origin_events (tenant, channel_id, format, number, at, body)
          select tenant, channel_id, format, cast(${number} as bigint), cast(${at} as bigint),
            cast(${JSON.stringify(event)} as text)
          from live_feeds where life = ${life}
          on conflict (tenant, channel_id, format, number) do nothing`.execute(db);
        if (numAffectedRows === 1n) return;
      }
    },
    async list({ tenant, id }, { from, to }, { offset, limit }) {
      const inRange = db
        .selectFrom('origin_events')
        .where((row) => row.and({ tenant, channel_id: id }))
        .where('at', '>=', from)
        .where('at', '<', to);
      const [total, rows] = await Promise.all([
        countOf(inRange),
        inRange
          .select(['at', 'body'])
          .orderBy('at', 'desc')
          .orderBy('format')
          .orderBy('number', 'desc')
          .limit(limit)
          .offset(offset)
          .execute(),
      ]);
      return { total, items: rows.map(eventOf) };
    },
    async troubled(tenant) {
      // First the feeds on air, since the order of a cross join is fixed in SQLite: of events, an origin that comes and goes has thousands.
      const { rows } = await raw<Row & { id: string }>`
        select origin_events.channel_id as id, at, origin_events.body from live_feeds cross join origin_events
        where live_feeds.tenant = ${tenant} and origin_events.tenant = live_feeds.tenant
          and origin_events.channel_id = live_feeds.channel_id and origin_events.format = live_feeds.format and number = (
          select max(newest.number) from origin_events as newest
          where newest.tenant = live_feeds.tenant and newest.channel_id = live_feeds.channel_id
            and newest.format = live_feeds.format)`.execute(db);
      const isTroubled = ({ state, onAir }: OriginEvent) => state !== 'ok' || onAir !== 'source';
      return new Set(rows.filter((row) => isTroubled(eventOf(row))).map(({ id }) => id));
    },
    async removeBefore(before) {
      await raw`
        delete from origin_events where at < ${before} and number < (
          select max(newest.number) from origin_events as newest
          where newest.tenant = origin_events.tenant and newest.channel_id = origin_events.channel_id
            and newest.format = origin_events.format)`.execute(db);
    },
  };
}
