// SPDX-License-Identifier: Apache-2.0
// Reads the ledger of beacons for operators: lists and totals of time ranges that may hold millions of rows. SQLite
// reads in the thread that serves viewers, so each query covers a few thousand rows, and other work gets a turn between
// queries.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Millis, millis } from '../../../time/units.ts';
import type { BeaconCursor, BeaconFilter, BeaconRow, HostRow } from '../../../tracking/beacons/beacon.ts';
import type { BeaconStore } from '../../../tracking/beacons/ports.ts';
import type { BeaconTable } from '../schema/trackingTables.ts';
import type { Sql } from '../sql.ts';

/** Rows scanned by one query. */
const ROWS_PER_SLICE = 5000;

/** The rows behind `after` (by default, from the first one) up to `until` (by default, to the last one). */
type Slice = { readonly after: BeaconCursor | undefined; readonly until: BeaconCursor | undefined };
type Range = Pick<BeaconFilter, 'tenant' | 'from' | 'to'>;

function readRow(row: Omit<BeaconTable, 'seq'> & { seq: number }): BeaconRow {
  return {
    seq: row.seq,
    recordedAt: millis(row.recorded_at),
    dueAt: millis(row.due_at),
    channelId: row.channel_id,
    sessionId: row.session_id,
    ownerId: row.ad_id,
    event: row.event,
    host: row.host,
    url: row.url,
    outcome: (row.outcome ?? 'pending') as BeaconRow['outcome'],
    attempts: row.attempts,
    unsure: row.unsure,
    ...(row.status === null ? {} : { status: row.status }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.settled_at === null ? {} : { settledAt: millis(row.settled_at) }),
  };
}

/** Adds up the counts of one host in two slices. */
function addCounts(one: HostRow, other: HostRow): HostRow {
  const since = [one, other].flatMap(({ waitingSince }) => waitingSince ?? []);
  return {
    host: one.host,
    pending: one.pending + other.pending,
    sent: one.sent + other.sent,
    recovered: one.recovered + other.recovered,
    failed: one.failed + other.failed,
    unsure: one.unsure + other.unsure,
    ...(since.length === 0 ? {} : { waitingSince: millis(Math.min(...since)) }),
  };
}

export function sqlBeaconsRead({ db, kind }: Sql): Pick<BeaconStore, 'list' | 'hosts'> {
  // Exactly one lower and one upper bound: of two redundant ones, SQLite may use the worse one.
  const rowsOf = ({ tenant, from, to }: Range, { after, until }: Slice) => {
    const place = sql`(recorded_at, seq)`;
    const first = after !== undefined && after.recordedAt >= from ? after : { recordedAt: from, seq: 0 };
    return db
      .selectFrom('beacons')
      .where('tenant', '=', tenant)
      .where(sql<boolean>`${place} > (${first.recordedAt}, ${first.seq})`)
      .where(
        until === undefined
          ? sql<boolean>`recorded_at < ${to}`
          : sql<boolean>`${place} <= (${until.recordedAt}, ${until.seq})`,
      );
  };

  async function endOfSlice(range: Range, after: BeaconCursor | undefined): Promise<BeaconCursor | undefined> {
    if (kind === 'postgres') return undefined;
    const query = rowsOf(range, { after, until: undefined }).select(['recorded_at', 'seq']);
    const ordered = query
      .orderBy('recorded_at')
      .orderBy('seq')
      .limit(1)
      .offset(ROWS_PER_SLICE - 1);
    const row = await ordered.executeTakeFirst();
    return row && { recordedAt: row.recorded_at, seq: row.seq };
  }

  async function* slicesOf(range: Range, first: BeaconCursor | undefined): AsyncGenerator<Slice> {
    for (let after = first; ; ) {
      const until = await endOfSlice(range, after);
      yield { after, until };
      if (until === undefined) return;
      after = until;
      await nextTurn();
    }
  }

  async function listSlice(filter: BeaconFilter, slice: Slice, most: number): Promise<BeaconRow[]> {
    const { channelId, sessionId, host, outcome } = filter;
    let query = rowsOf(filter, slice).selectAll().orderBy('recorded_at').orderBy('seq').limit(most);
    if (channelId !== undefined) query = query.where('channel_id', '=', channelId);
    if (sessionId !== undefined) query = query.where('session_id', '=', sessionId);
    if (host !== undefined) query = query.where('host', '=', host);
    if (outcome === 'pending') query = query.where('outcome', 'is', null);
    else if (outcome !== undefined) query = query.where('outcome', '=', outcome);
    return (await query.execute()).map(readRow);
  }

  async function countSlice(range: Range, slice: Slice): Promise<HostRow[]> {
    const count = (what: ReturnType<typeof sql>) => sql<number>`sum(case when ${what} then 1 else 0 end)`;
    const rows = await rowsOf(range, slice)
      .select('host')
      .select([
        count(sql`outcome is null`).as('pending'),
        count(sql`outcome = 'sent'`).as('sent'),
        count(sql`outcome = 'sent' and attempts > 1`).as('recovered'),
        count(sql`outcome = 'failed'`).as('failed'),
        sql<number>`sum(unsure)`.as('unsure'),
        sql<number | null>`min(case when outcome is null and attempts > 0 then recorded_at end)`.as('since'),
      ])
      .groupBy('host')
      .execute();
    return rows.map(({ since, ...row }) => ({ ...row, ...(since === null ? {} : { waitingSince: millis(since) }) }));
  }

  return {
    async list(filter, after, most) {
      const found: BeaconRow[] = [];
      for await (const slice of slicesOf(filter, after)) {
        found.push(...(await listSlice(filter, slice, most - found.length)));
        if (found.length >= most) break;
      }
      return found;
    },
    async hosts(tenant: string, from: Millis, to: Millis) {
      const range = { tenant, from, to };
      const byHost = new Map<string, HostRow>();
      for await (const slice of slicesOf(range, undefined)) {
        for (const row of await countSlice(range, slice)) {
          const known = byHost.get(row.host);
          byHost.set(row.host, known === undefined ? row : addCounts(known, row));
        }
      }
      return [...byHost.values()].sort((a, b) => (a.host < b.host ? -1 : 1));
    },
  };
}
